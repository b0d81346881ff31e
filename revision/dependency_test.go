package revision

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

const sorting = `
-- go.mod --
module example.com/sorting

go 1.21
-- s.go --
package sorting

import "container/heap"

func Fix(h heap.Interface) { heap.Fix(h, 0) }
-- s_test.go --
package sorting

import (
	"sort"
	"testing"
)

type ints struct{ sort.IntSlice }

func (h *ints) Push(any) {}
func (h *ints) Pop() any { return 0 }

func BenchmarkWork(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Fix(&ints{sort.IntSlice{2, 1}})
	}
}
`

// TestStandard opens a function of the standard library and probes it.
func TestStandard(t *testing.T) {
	t.Parallel()
	dir, _ := history(t, sorting)
	ctx := t.Context()
	s, err := Open(ctx, Spec{Dir: dir, CacheDir: t.TempDir()}, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := s.All()[0]
	prog, err := r.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	caller, err := prog.Func("Fix")
	if err != nil {
		t.Fatal(err)
	}
	layer, err := prog.Layer(caller)
	if err != nil {
		t.Fatal(err)
	}
	fn := layer.Calls[0].Callee()
	if fn == nil || fn.HasBody() {
		t.Fatalf("heap.Fix is %+v before it is opened", fn)
	}
	if reason, err := r.Open(ctx, fn); reason != "" || err != nil || !fn.HasBody() {
		t.Fatalf("heap.Fix stays closed: %s, %v", reason, err)
	}
	if at := r.Position(fn.Pos); !strings.HasPrefix(at, "std@go") || !strings.Contains(at, "/container/heap/heap.go:") {
		t.Errorf("heap.Fix is at %s", at)
	}
	file, err := r.Source(fn)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := instrument.Rewrite(file, nil, []instrument.BodyProbe{{Func: fn.Node}})
	if err != nil {
		t.Fatal(err)
	}
	bin, err := r.Build(ctx, Build{Files: map[string][]byte{file.Name: text}, Probes: 1})
	if err != nil {
		t.Fatal(err)
	}
	process, err := harness.Run(ctx, bin, work1, harness.Order{N: 10, Batches: 1, On: [][]int{{0}}})
	if err != nil {
		t.Fatal(err)
	}
	if calls := process.Batches[0].Parts[0].Calls; calls != 10 {
		t.Errorf("%d calls of heap.Fix in 10 operations", calls)
	}
}

// TestCalls counts the module's calls, which a build finds in the code.
func TestCalls(t *testing.T) {
	t.Parallel()
	dir, _ := history(t, first+third, second)
	ctx := t.Context()
	s, err := Open(ctx, Spec{Dir: dir, CacheDir: t.TempDir(), Meter: instrument.MeterCalls}, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	bin, err := s.All()[0].Build(ctx, Build{})
	if err != nil {
		t.Fatal(err)
	}
	process, err := harness.Run(ctx, bin, work1, harness.Order{N: 10, Batches: 1})
	if err != nil {
		t.Fatal(err)
	}
	if calls := process.Batches[0].Metered; calls != 21 { // of Work and helper, and the benchmark
		t.Errorf("%v calls in 10 operations, want 21", calls)
	}
	name := filepath.Join(s.All()[0].PackageDir, "p.go")
	bin, err = s.All()[0].Build(ctx, Build{Files: map[string][]byte{name: []byte("package p\n\nfunc Work() int { return 2 }\n")}})
	if err != nil {
		t.Fatal(err)
	}
	if process, err = harness.Run(ctx, bin, work1, harness.Order{N: 10, Batches: 1}); err != nil || process.Batches[0].Metered != 11 {
		t.Errorf("%+v calls without helper in 10 operations, want 11: %v", process.Batches, err)
	}
}
