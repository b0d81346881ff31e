package prove

import (
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/revert"
	"github.com/pinpoint-go/pinpoint/revision"
)

// An Element is something that differs and that good's code can be put back for, as a
// whole.
type Element struct {
	Suspects []change.Suspect // one, or those that only count together
	Hunk     *revert.Hunk     // of the one, if it is not all of it
	Module   *change.Module   // a dependency in another version, and then no suspects
	Setting  *Setting         // what bad is compiled by, and then no suspects
	Near     Nearness
	Gained   float64 // share of the difference that profiles see in it, and in nothing beneath it that differs
}

// A Setting is what a side is compiled by besides its source, and differs.
type Setting struct {
	Name     string // for a reader: default.pgo or toolchain
	Back     string // how it is put back, for a reader: by good's default.pgo
	Position string // of its file in the tree; of a toolchain its version
	PGO      string // what -pgo is then
	// Toolchain is the revision whose toolchain builds bad then; nil: bad's own does.
	Toolchain *revision.Revision
}

// Nearness is how what differs comes to be run, as far as the source tells.
type Nearness int

const (
	Unseen Nearness = iota // not at all: through tables, reflection or names
	SetUp                  // before the timer runs: what makes sizes, tables and options
	Data                   // it is a type, constant or variable
	Timed                  // by what is timed
)

// prior is the belief that an element is to blame before anything is measured.
func (n Nearness) prior() float64 { return [...]float64{0.001, 0.01, 0.01, 0.03}[n] }

// Weight is the belief that it is to blame, for the search.
func (e Element) Weight() float64 { return e.Near.prior() + max(0, e.Gained) }

// Name names it to a reader.
func (e Element) Name() string {
	switch {
	case e.Module != nil:
		return e.Module.Path
	case e.Setting != nil:
		return e.Setting.Name
	case e.Hunk != nil:
		return e.Hunk.Name()
	case len(e.Suspects) == 1:
		return e.Suspects[0].Name
	}
	return "what is not seen to be reached"
}

// Function is the function that it is, in both revisions; not ok if it is none or if one
// lacks it.
func (e Element) Function() (f change.Functions, ok bool) {
	if len(e.Suspects) != 1 || e.Suspects[0].Good == nil || e.Suspects[0].Bad == nil {
		return f, false
	}
	return change.Functions{Good: e.Suspects[0].Good, Bad: e.Suspects[0].Bad}, true
}

// HasGood is Has of a function of good.
func (e Element) HasGood(good *callgraph.Function) bool {
	if e.Module != nil {
		return e.Has(good)
	}
	return slices.ContainsFunc(e.Suspects, func(s change.Suspect) bool { return s.Good != nil && s.Good == change.Outermost(good) })
}

// Is says whether it is the declaration that a function of bad is, or is written in.
func (e Element) Is(bad *callgraph.Function) bool {
	return slices.ContainsFunc(e.Suspects, func(s change.Suspect) bool { return s.Bad != nil && s.Bad == change.Outermost(bad) })
}

// Has says whether a function of bad is the element, or of the dependency that it is.
func (e Element) Has(bad *callgraph.Function) bool {
	if e.Module != nil {
		return bad.Pkg != nil && bad.Pkg.Module != nil && bad.Pkg.Module.Path == e.Module.Path
	}
	return e.Is(bad)
}

// Reach are the functions that are reached, on either side.
type Reach struct {
	Timed, All map[*callgraph.Function]bool
	Data       map[string]bool // types, constants and variables that they refer to
}

func (r Reach) of(s change.Suspect) Nearness {
	switch {
	case s.Kind != change.Func && r.Data[s.Name]:
		return Data
	case r.Timed[s.Good] || r.Timed[s.Bad]:
		return Timed
	case r.All[s.Good] || r.All[s.Bad], isInit(s):
		return SetUp
	}
	return Unseen
}

// isInit says whether it is run by the program itself, before anything else.
func isInit(s change.Suspect) bool {
	return strings.HasPrefix(path.Base(s.Name)[strings.LastIndexByte(path.Base(s.Name), '.')+1:], "init")
}

// Elements are what differs. What is reached, or is data, is one each; what is not seen
// to be reached is one in all. Functions that only bad has are no elements of their
// own, for whoever calls them has changed, unless they are run by themselves or take the
// place of promoted methods: then nobody had to change. What only good has is put back
// with what needs it.
func Elements(c *change.Change, reach Reach, linked []change.Module) []Element {
	var list []Element
	unseen := Element{Near: Unseen}
	for _, s := range c.Suspects() {
		near := reach.of(s)
		switch {
		case s.Removed():
		case s.Added() && !(s.Kind == change.Func && near >= SetUp && (replacesPromoted(c, s) || isInit(s))):
		case near == Unseen:
			unseen.Suspects = append(unseen.Suspects, s)
		default:
			list = append(list, Element{Suspects: []change.Suspect{s}, Near: near})
		}
	}
	for _, m := range linked {
		list = append(list, Element{Module: &m, Near: Timed})
	}
	if len(unseen.Suspects) > 0 {
		list = append(list, unseen)
	}
	return list
}

// replacesPromoted says whether a method that only bad has is promoted from an embedded
// field in good.
func replacesPromoted(c *change.Change, s change.Suspect) bool {
	key := s.BadDecl.Keys[0]
	receiver, method, ok := strings.Cut(key.Name, ".")
	if !ok {
		return false
	}
	d := c.Good.ByKey[change.Key{Pkg: c.ToGood(key.Pkg), Name: receiver}]
	if d == nil || d.Object() == nil {
		return false
	}
	obj, index, _ := types.LookupFieldOrMethod(types.NewPointer(d.Object().Type()), true, d.Pkg.Types, method)
	_, isFunc := obj.(*types.Func)
	return isFunc && len(index) > 1
}
