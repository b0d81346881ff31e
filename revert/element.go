package revert

import (
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
)

// Element is something that good's code can be put back for: a declaration, or of a
// function one of its hunks. Of a function that is given by its hunks all of them are
// elements, and the function is not.
type Element struct {
	change.Suspect
	Hunk *Hunk // nil: all of the suspect
}

// Name is the declaration's or the hunk's.
func (e Element) Name() string {
	if e.Hunk != nil {
		return e.Hunk.Name()
	}
	return e.Suspect.Name
}

// ComposeSet puts good's code for some of a change's elements into bad, by their indices,
// with whatever they need to compile: which of the elements that is, with says, ascending.
// The error is an [*Error] if nothing makes it compile.
func ComposeSet(c *change.Change, all []Element, set []int) (plan Plan, with []int, err error) {
	var want []change.Suspect
	var hunks []Hunk
	for _, i := range set {
		if all[i].Hunk != nil {
			hunks = append(hunks, *all[i].Hunk)
		} else {
			want = append(want, all[i].Suspect)
		}
	}
	plan, err = ComposeHunks(c, want, hunks, Helpers)
	if err != nil {
		return Plan{}, nil, err
	}
	for i, e := range all {
		if slices.Contains(set, i) || plan.Takes(e) {
			with = append(with, i)
		}
	}
	return plan, with, nil
}

// Takes reports whether an element is good's in the plan. A struct that only gained fields
// of good's is not: to put all of it back would take its users along.
func (p Plan) Takes(e Element) bool {
	if e.Hunk != nil {
		return slices.Contains(p.Hunks, e.Hunk.Name()) || slices.Contains(p.Functions, e.Hunk.Of.GoodDecl.Name())
	}
	named := func(d *change.Decl, in ...[]string) bool {
		return d != nil && slices.Contains(slices.Concat(in...), d.Name())
	}
	return named(e.GoodDecl, p.Functions, p.Decls) || named(e.BadDecl, p.Removed)
}
