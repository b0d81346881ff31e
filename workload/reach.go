package workload

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/text"
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

// Site is one package from which a function may be reached. It is closed when whoever was
// given it returns.
type Site struct {
	*revision.Revision
	Func       *callgraph.Function
	Candidates []Candidate                 // benchmarks first, the nearest first
	Callers    []*callgraph.Function       // declared functions outside of tests that reach it, the nearest first
	steps      map[*callgraph.Function]int // to Func, of those that reach it
}

// Sites loads one after the other the packages with tests that may reach a function, the
// nearest first, and calls do for those from which the call graph leads there. What can't
// be looked at is told to skip, and so is what the time had no room for; an error of
// do's ends it. full is the function's name. The error is *callgraph.NameError when no
// function or several have the name.
func (s *Search) Sites(ctx context.Context, name string, do func(*Site) error, skip func(why string)) (full string, err error) {
	home, full, err := s.find(name)
	if err != nil {
		return "", err
	}
	if len(s.packages) == 0 {
		return full, fmt.Errorf("no package of %s in %s has tests or benchmarks", strings.Join(s.patterns, " "), s.opts.Rev)
	}
	packages := s.nearest(home)
	for i, p := range packages {
		if s.late() {
			skip(fmt.Sprintf("%s from %s on were not looked at: the time was up", text.Plural(len(packages)-i, "package"), p.path))
			return full, nil
		}
		s.opts.Progress("looking for what runs "+full+": packages", i, len(packages))
		if err := s.visit(ctx, p, full, do, skip); err != nil {
			return full, err
		}
	}
	return full, nil
}

func (s *Search) visit(ctx context.Context, p *pkg, full string, do func(*Site) error, skip func(string)) error {
	set, err := s.set.In(ctx, p.dir, s.opts.Process)
	if err != nil {
		return err
	}
	defer set.Close()
	at, err := s.reach(ctx, set.All()[0], p, full)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		skip(fmt.Sprintf("%s was not looked at: %s", p.path, firstLine(err)))
		return nil
	}
	return do(at)
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
func (s *Search) reach(ctx context.Context, rev *revision.Revision, p *pkg, full string) (*Site, error) {
	prog, err := rev.Load(ctx)
	if err != nil {
		return nil, err
	}
	fn, err := prog.Func(full)
	if err != nil {
		return nil, err
	}
	at := &Site{Revision: rev, Func: fn, steps: prog.Reaching(fn)}
	for f, steps := range at.steps {
		decl, ok := f.Node.(*ast.FuncDecl)
		if ok && f != fn && f.HasBody() && !strings.HasSuffix(f.Filename(), "_test.go") {
			at.Callers = append(at.Callers, f)
		}
		if !ok || !strings.HasSuffix(f.Filename(), "_test.go") || f.Pkg.PkgPath != p.path && f.Pkg.PkgPath != p.path+"_test" {
			continue
		}
		if kind, ok := harness.KindOf(decl); ok {
			at.Candidates = append(at.Candidates, Candidate{
				Kind: kind, Name: decl.Name.Name, Pattern: harness.PatternOf(decl.Name.Name, nil), Package: p.path, Dir: p.dir, Steps: steps,
			})
		}
	}
	slices.SortFunc(at.Candidates, func(a, b Candidate) int {
		return cmp.Or(int(a.Kind)-int(b.Kind), a.Steps-b.Steps, strings.Compare(a.Name, b.Name))
	})
	slices.SortFunc(at.Callers, func(a, b *callgraph.Function) int {
		return cmp.Or(at.steps[a]-at.steps[b], strings.Compare(a.Name, b.Name))
	})
	return at, nil
}

// Steps is how many calls it takes at least from a caller to the function.
func (at *Site) Steps(caller *callgraph.Function) int { return at.steps[caller] }

func firstLine(err error) string {
	first, rest, _ := strings.Cut(err.Error(), "\n")
	if strings.HasSuffix(first, ":") { // the cause follows
		next, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		return first + " " + next
	}
	return first
}
