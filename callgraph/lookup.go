package callgraph

import (
	"fmt"
	"go/ast"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// NameError is a name that no function or several have.
type NameError struct {
	Name       string
	Candidates []string // full names; those that match, or those that resemble it when none does
	Ambiguous  bool
}

func (e *NameError) Error() string {
	what := "no function " + e.Name
	if e.Ambiguous {
		what = e.Name + " is ambiguous"
	}
	if len(e.Candidates) == 0 {
		return what
	}
	return what + "; candidates:\n\t" + strings.Join(e.Candidates, "\n\t")
}

// Func finds a function with loaded source by what Go prints for it: the full
// name, or without import path (package.(*T).Method, (*T).Method, Func,
// Func.func1). Type arguments and a missing pointer star don't matter. Without
// import path the workload's package wins, then its external tests. The error
// is a [*NameError].
func (p *Program) Func(name string) (*Function, error) {
	want := plainName(name)
	if fn := p.functions.byName[want]; fn != nil && fn.Node != nil {
		return fn, nil
	}
	tiers := make([][]*Function, 4)
	for _, fn := range p.functions.all {
		if tier := p.tier(fn, want); tier >= 0 {
			tiers[tier] = append(tiers[tier], fn)
		}
	}
	for _, matches := range tiers {
		if len(matches) == 1 {
			return matches[0], nil
		}
		if len(matches) > 1 {
			return nil, &NameError{Name: name, Candidates: names(matches), Ambiguous: true}
		}
	}
	return nil, &NameError{Name: name, Candidates: p.resembling(want)}
}

// tier says how well a function answers to a name: 0 in the workload's
// package, 1 in its external tests, 2 elsewhere, 3 if only the star is missing
// or too many, -1 not at all.
func (p *Program) tier(fn *Function, want string) int {
	local := strings.TrimPrefix(fn.Name, fn.Pkg.PkgPath+".")
	base := path.Base(fn.Pkg.PkgPath)
	same := func(local, want string) bool {
		return want == local || want == base+"."+local || want == fn.Pkg.Name+"."+local
	}
	if !same(local, want) {
		if same(unstarred(local), unstarred(want)) || unstarred(fn.Name) == unstarred(want) {
			return 3
		}
		return -1
	}
	switch fn.Pkg.PkgPath {
	case p.root.PkgPath:
		return 0
	case p.root.PkgPath + "_test":
		return 1
	}
	return 2
}

var stars = strings.NewReplacer("(*", "", ")", "", "(", "")

func unstarred(name string) string { return stars.Replace(name) }

// resembling gives at most ten names with the same last part, else with one
// that contains it, without regard to case.
func (p *Program) resembling(want string) []string {
	want = last(want)
	var same, near []string
	for _, fn := range p.functions.all {
		if _, ok := fn.Node.(*ast.FuncDecl); !ok {
			continue
		}
		switch got := last(fn.Name); {
		case strings.EqualFold(got, want):
			same = append(same, fn.Name)
		case containsFold(got, want) || containsFold(want, got) && len(got) > 2:
			near = append(near, fn.Name)
		}
	}
	if len(same) == 0 {
		same = near
	}
	slices.Sort(same)
	return same[:min(len(same), 10)]
}

func last(name string) string { return name[strings.LastIndex(name, ".")+1:] }

func containsFold(s, sub string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(sub))
}

func names(fns []*Function) []string {
	var list []string
	for _, fn := range fns {
		list = append(list, fn.Name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// FuncAt finds the function at a place as the runtime reports it: the last one
// that starts on the line, else the innermost that encloses it. //line comments
// may apply or not.
func (p *Program) FuncAt(file string, line int) (*Function, error) {
	file = filepath.Clean(file)
	fns := p.functions.byFile[file]
	if len(fns) == 0 {
		if real, err := filepath.EvalSymlinks(file); err == nil {
			fns = p.functions.byFile[real]
		}
	}
	var found *Function
	for _, fn := range fns {
		for _, adjusted := range []bool{false, true} {
			from := p.Fset.PositionFor(fn.Node.Pos(), adjusted)
			to := p.Fset.PositionFor(fn.Node.End(), adjusted)
			if from.Filename != file && adjusted {
				continue
			}
			if from.Line <= line && line <= to.Line {
				found = inner(found, fn)
			}
		}
	}
	if found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("%s:%d: no function with loaded source here", p.relative(file), line)
}

// inner gives the one that lies in the other, else the later one.
func inner(a, b *Function) *Function {
	if a == nil || b.Node.Pos() >= a.Node.Pos() {
		return b
	}
	return a
}
