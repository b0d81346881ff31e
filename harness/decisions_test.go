package harness

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

func TestDecisions(t *testing.T) {
	offline(t)
	dir := tree(t, `
-- go.mod --
module example.com/m

go 1.20
-- m.go --
package m

import "example.com/m/dep"

func small() int { return dep.Small() + dep.Big() }

//go:noinline
func never() int { return small() }

func escape() *int { return new(int) }
-- dep/dep.go --
package dep

func Small() int { return 1 }

//go:noinline
func Big() int { return 2 }
-- m_test.go --
package m

import "testing"

func BenchmarkX(b *testing.B) {
	for i := 0; i < b.N; i++ {
		small()
		never()
	}
}
`)
	s := Side{Dir: dir, Package: ".", GCFlags: []string{"example.com/m=-lang=go1.18"}}
	pkgs := []string{"example.com/m", "example.com/m/dep"}
	if alone, err := goIn(t, dir).Decisions(t.Context(), s, Workload{}, pkgs[1:], false); err != nil || !alone.Inlinable[pkgs[1]]["Small"] {
		t.Errorf("of one package alone: %+v, %v", alone, err)
	}
	g := goIn(t, dir)
	// The second time the go command has it all in its cache.
	for range 2 {
		d, err := g.Decisions(t.Context(), s, Workload{}, pkgs, true)
		if err != nil {
			t.Fatal(err)
		}
		heap := Line{filepath.Join(dir, "m.go"), 10}
		if !slices.Equal(d.Heap[heap], []string{"new(int)"}) {
			t.Errorf("on the heap %v, want new(int) at %v", d.Heap, heap)
		}
		if want := map[string]bool{"Small": true}; !maps.Equal(d.Inlinable["example.com/m/dep"], want) || !d.Inlinable["example.com/m"]["small"] {
			t.Errorf("inlinable %v", d.Inlinable)
		}
	}
}

func TestParseDecisions(t *testing.T) {
	d := parseDecisions(`# p [p.test]
./a.go:1:2: can inline (*T).M
./a.go:3:4: inlining call to (*T).M
./a.go:7:8: x escapes to heap in inner:
./a.go:7:8:   flow: {heap} ← &x:
./a.go:7:8: x escapes to heap
./a.go:7:9: moved to heap: y
./a.go:8:2: z does not escape
../elsewhere/b.go:5:6: z escapes to heap
/abs/c.go:9:10: w escapes to heap
./a.go:10:6: can inline few with cost 14 as: func(int) int { return 1 }
./a.go:11:6: cannot inline many: function too complex: cost 90 exceeds budget 80
./a.go:12:6: cannot inline never: marked go:noinline
./a.go:13:9: Found IsInBounds
./a.go:13:12: Found IsSliceInBounds
`, "/m")
	if !d.Inlinable["p"]["(*T).M"] || !d.Inlinable["p"]["few"] || len(d.Inlinable["p"]) != 2 {
		t.Errorf("inlinable %v", d.Inlinable)
	}
	if why := map[string]string{"(*T).M": "", "few": "cost 14", "many": "cost 90 exceeds budget 80", "never": "marked go:noinline"}; !maps.Equal(d.Inlining["p"], why) {
		t.Errorf("inlining %v", d.Inlining)
	}
	heap := map[Line][]string{{"/m/a.go", 7}: {"x", "y"}, {"/elsewhere/b.go", 5}: {"z"}, {"/abs/c.go", 9}: {"w"}}
	if !maps.EqualFunc(d.Heap, heap, slices.Equal) {
		t.Errorf("on the heap %v, want %v", d.Heap, heap)
	}
	if n := d.Bounds[Line{"/m/a.go", 13}]; n != 2 || len(d.Bounds) != 1 {
		t.Errorf("bounds checks %v", d.Bounds)
	}
}

// The go command takes the last -gcflags that matches, so the flag is added to
// the ones that are there.
func TestWithGCFlag(t *testing.T) {
	s := Side{GCFlags: []string{"p=-lang=go1.18", "p=-N -l", "pp=-N"}}
	want := []string{"p=-lang=go1.18", "p=-N -l", "pp=-N", "p=-N -l -m", "q=-m"}
	if got := s.withGCFlag("-m", []string{"p", "q"}).GCFlags; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(s.GCFlags) != 3 {
		t.Error("the side itself was changed")
	}
}
