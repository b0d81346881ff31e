package workload

import (
	"cmp"
	"context"
	"go/ast"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/revision"
)

// A Candidate is a benchmark or a test that may run a function.
type Candidate struct {
	Kind    harness.Kind
	Name    string // of a sub-benchmark with its elements
	Pattern string // matches it and no other
	Package string // import path
	Dir     string // of the package, relative to Options.Dir, with slashes
	Steps   int    // calls between it and the function, at least, by the call graph
}

// String is the candidate for a reader.
func (c Candidate) String() string {
	if c.Dir == "." {
		return c.Name
	}
	return c.Name + " of " + c.Dir
}

// site is one package from which the function may be reached.
type site struct {
	*revision.Revision
	fn         *callgraph.Function
	steps      map[*callgraph.Function]int // to fn, of those that reach it
	candidates []Candidate                 // benchmarks first, the nearest first
}

// nearest are the packages that link the one where the function is, itself first: what
// is tested there is what its own tests are for.
func (s *Search) nearest(in string) []*pkg {
	var list []*pkg
	for _, p := range s.packages {
		if p.links[in] {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *pkg) int {
		return cmp.Or(distance(in, a.path)-distance(in, b.path), strings.Compare(a.path, b.path))
	})
	return list
}

// distance is by how many elements two import paths differ.
func distance(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	same := 0
	for same < min(len(as), len(bs)) && as[same] == bs[same] {
		same++
	}
	return len(as) + len(bs) - 2*same
}

// reach loads a package and asks its call graph for what may run the function.
func (s *Search) reach(ctx context.Context, rev *revision.Revision, p *pkg, full string) (*site, error) {
	prog, err := rev.Load(ctx)
	if err != nil {
		return nil, err
	}
	fn, err := prog.Func(full)
	if err != nil {
		return nil, err
	}
	at := &site{Revision: rev, fn: fn, steps: prog.Reaching(fn)}
	for f, steps := range at.steps {
		decl, ok := f.Node.(*ast.FuncDecl)
		if !ok || !strings.HasSuffix(f.Filename(), "_test.go") || f.Pkg.PkgPath != p.path && f.Pkg.PkgPath != p.path+"_test" {
			continue
		}
		if kind, ok := harness.KindOf(decl); ok {
			at.candidates = append(at.candidates, Candidate{
				Kind: kind, Name: decl.Name.Name, Pattern: harness.PatternOf(decl.Name.Name, nil), Package: p.path, Dir: p.dir, Steps: steps,
			})
		}
	}
	slices.SortFunc(at.candidates, func(a, b Candidate) int {
		return cmp.Or(int(a.Kind)-int(b.Kind), a.Steps-b.Steps, strings.Compare(a.Name, b.Name))
	})
	return at, nil
}
