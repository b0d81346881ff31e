package modules_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/modules"
)

// TestBuild probes a function of a dependency, wherever that lies, and runs it.
func TestBuild(t *testing.T) {
	w := newWorld(t, "testdata/dependencies.txtar")
	for _, test := range []struct {
		tree, pkg, fn, call string
		copied              bool
		lang                bool
	}{
		{"cached", "example.com/Dep", "Work", "step", true, false},
		{"fork", "example.com/upstream", "Work", "step", true, false},
		{"premodules", "example.com/old", "Work", "step", true, true},
		{"vendored", "example.com/Dep", "Work", "step", false, false},
		{"directory", "example.com/Dep", "Work", "step", false, true},
		{"workspace", "example.com/Dep", "Work", "step", true, false},
		{"standard", "strings", "Map", "mapping", false, false},
	} {
		t.Run(test.tree, func(t *testing.T) {
			if testing.Short() && test.tree == "standard" {
				t.Skip("builds the standard library")
			}
			dir := w.tree(t, test.tree)
			before := contents(t, dir)
			cached := contents(t, filepath.Join(w.modCache, "example.com"))
			s := open(t, w, dir)
			probed := s.probe(t, test.pkg, test.fn, test.call)
			if test.lang {
				s.GCFlags = []string{test.pkg + "=-lang=go1.18"}
			}
			if got := s.copies.ModFile() != "" || s.copies.WorkFile() != ""; got != test.copied {
				t.Errorf("copied: %v, want %v", got, test.copied)
			}
			if calls := s.run(t, probed); calls != 4 {
				t.Errorf("%v calls of %s per operation, want 4", calls, test.call)
			}
			if !maps.Equal(before, contents(t, dir)) {
				t.Error("the tree has changed")
			}
			if !maps.Equal(cached, contents(t, filepath.Join(w.modCache, "example.com"))) {
				t.Error("the module cache has changed")
			}
		})
	}
}

// A subject is a tree with a program loaded from it and copies for it.
type subject struct {
	harness.Side
	goCmd   *harness.Go
	copies  *modules.Copies
	program *callgraph.Program
}

func open(t *testing.T, w world, dir string) *subject {
	t.Helper()
	g, err := harness.FindGo(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{Side: harness.Side{Label: "bad", Dir: dir, Top: dir, Package: "."}, goCmd: g}
	s.copies = modules.New(modules.Config{
		Go: g.Cmd, Env: s.Env(g), Dir: dir,
		ModCache: g.ModCache, Cache: filepath.Join(w.dir, "cache"), Out: t.TempDir(),
	})
	s.program, err = callgraph.Load(t.Context(), callgraph.Config{Dir: dir, Package: ".", Tests: true, Env: s.Env(g)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// probe gives the file of a function with a probe at its call of something, and
// sees to it that the file can be built.
func (s *subject) probe(t *testing.T, pkg, name, call string) map[string][]byte {
	t.Helper()
	if err := s.program.Extend(t.Context(), pkg); err != nil {
		t.Fatal(err)
	}
	fn, err := s.program.Func(pkg + "." + name)
	if err != nil {
		t.Fatal(err)
	}
	layer, err := s.program.Layer(fn)
	if err != nil {
		t.Fatal(err)
	}
	var probes []instrument.CallProbe
	for _, c := range layer.Calls {
		if strings.HasPrefix(c.Text, call+"(") {
			probes = append(probes, instrument.CallProbe{Call: c.Expr, Func: fn.Node})
		}
	}
	text, refused, err := instrument.Rewrite(instrument.File{
		Fset: s.program.Fset, Syntax: fn.File, Info: fn.Pkg.TypesInfo, Pkg: fn.Pkg.Types,
		Src: s.program.Contents(fn.Filename()), Name: fn.Filename(),
	}, probes, nil)
	if err != nil || len(refused) > 0 || len(probes) == 0 {
		t.Fatalf("%d probes in %s: %v %v", len(probes), fn.Name, refused, err)
	}
	if err := s.copies.Add(t.Context(), fn.Pkg.Module); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{fn.Filename(): text}
}

// run builds and runs the benchmark and gives the calls of the probe per operation.
func (s *subject) run(t *testing.T, files map[string][]byte) float64 {
	t.Helper()
	laid, err := s.copies.Overlay(files)
	if err != nil {
		t.Fatal(err)
	}
	overlay := instrument.Overlay{}
	if err := overlay.AddRuntime(s.goCmd.Root); err != nil {
		t.Fatal(err)
	}
	if err := overlay.Add(laid); err != nil {
		t.Fatal(err)
	}
	side := s.Side
	side.Overlay, side.ModFile, side.WorkFile = overlay.Files, s.copies.ModFile(), s.copies.WorkFile()
	workload := harness.Workload{Kind: harness.Bench, Pattern: "^BenchmarkWork$"}
	binary, err := s.goCmd.Build(t.Context(), side, workload, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	binary.Probes = 1
	process, err := harness.Run(t.Context(), binary, workload, harness.Order{N: 10, Batches: 1, On: [][]int{{0}}})
	if err != nil {
		t.Fatal(err)
	}
	return float64(process.Batches[0].Parts[0].Calls) / 10
}
