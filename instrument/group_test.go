package instrument

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// What runs while a group of recursive functions is the layer: its outermost activations,
// and each of its parts as often as it is made, at whatever depth.
func TestGroupsRun(t *testing.T) {
	archives, err := filepath.Glob("testdata/groups/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, archive := range archives {
		ar, err := txtar.ParseFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(archive), func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"))
			for _, file := range ar.Files {
				write(t, filepath.Join(dir, file.Name), file.Data)
			}
			checkGroup(t, dir, strings.Split(strings.TrimSpace(string(ar.Comment)), "\n"))
		})
	}
}

// groupProbes are the probes of a group's layer in one file, and what they are.
type groupProbes struct {
	names  []string
	calls  []CallProbe
	bodies []BodyProbe
}

// The groups of recursion. Parts exclude each other.
const (
	groupOfParts = 1 + iota
	groupOfWhole
)

func (g *groupProbes) body(name string, fn *callgraph.Function, group int) {
	g.bodies = append(g.bodies, BodyProbe{ID: len(g.names), Func: fn.Node, Group: group})
	g.names = append(g.names, name)
}

func checkGroup(t *testing.T, dir string, comment []string) {
	t.Helper()
	p, err := callgraph.Load(t.Context(), callgraph.Config{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	entrance, want := comment[1], comment[2:]
	fn, err := p.Func(entrance)
	if err != nil {
		t.Fatal(err)
	}
	g, err := p.Group(fn)
	if err != nil {
		t.Fatal(err)
	}
	probes := new(groupProbes)
	for _, m := range g.Members {
		// Through whichever member the group is entered, that is the outermost.
		probes.body("whole "+shortName(m.Func), m.Func, groupOfWhole)
		for _, c := range m.Calls {
			probes.calls = append(probes.calls, CallProbe{ID: len(probes.names), Call: c.Expr, Func: m.Func.Node, Group: groupOfParts})
			probes.names = append(probes.names, shortName(m.Func)+": "+c.Text)
		}
	}
	for _, leaf := range g.Leaves {
		probes.body("leaf "+shortName(leaf), leaf, groupOfParts)
	}
	f := File{
		Fset: p.Fset, Syntax: fn.File, Info: fn.Pkg.TypesInfo, Pkg: fn.Pkg.Types,
		Src: p.Contents(fn.Filename()), Name: fn.Filename(),
	}
	out, refused, err := Rewrite(f, probes.calls, probes.bodies)
	if err != nil || len(refused) > 0 {
		t.Fatal(err, refused)
	}
	board := allOn(t, len(probes.names))
	got := run(t, build(t, dir, "-overlay="+overlayOf(t, map[string][]byte{f.Name: out})), board.File())
	if plain := run(t, build(t, dir), nil); got != plain {
		t.Errorf("printed %q, without probes %q", got, plain)
	}
	var lines []string
	var whole, parts float64
	for id, total := range board.Totals() {
		lines = append(lines, fmt.Sprintf("%d %s", total.Calls, probes.names[id]))
		if strings.HasPrefix(probes.names[id], "whole ") {
			whole += total.NS
		} else {
			parts += total.NS
		}
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if parts > whole {
		t.Errorf("the parts took %.0f ns and the whole %.0f", parts, whole)
	}
	if board.Unguarded() != 0 {
		t.Errorf("%d activations were not told apart", board.Unguarded())
	}
}

func shortName(fn *callgraph.Function) string {
	return strings.TrimPrefix(fn.Name, "example.com/m.")
}
