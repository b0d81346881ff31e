package revert

import (
	"fmt"
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
)

// Level says how much of good a plan takes.
type Level int

const (
	Alone   Level = iota // what was asked for and nothing else
	Helpers              // and what it needs to compile, one by one
	Files                // and all that differs in the files that it is written in
	Package              // and all that differs in their packages
)

func (l Level) String() string {
	return [...]string{"alone", "with what it needs", "whole file", "whole package"}[l]
}

// Plan is bad with code from good.
type Plan struct {
	Level     Level
	Files     map[string][]byte // by absolute path in bad's tree, for the overlay
	Functions []string          // contract names of what is taken from good, the asked ones first
	Hunks     []string          // parts of functions taken from good, import/path.F#1
	Decls     []string          // types, constants and variables taken from good, import/path.Name
	Fields    []string          // fields that bad's structs have from good, import/path.T.field
	Removed   []string          // functions and declarations of bad that nothing takes the place of
	Notes     []string          // for people
}

// Compose puts good's code for want into bad. The error is an [*Error] when
// the result does not compile at this level.
func Compose(c *change.Change, want []change.Suspect, level Level) (Plan, error) {
	return ComposeHunks(c, want, nil, level)
}

// ComposeHunks puts good's code for want and for hunks of other functions into bad. Where
// a hunk compiles only with others of its function these come along, or the function as a
// whole: which it was is in the plan.
func ComposeHunks(c *change.Change, want []change.Suspect, hunks []Hunk, level Level) (Plan, error) {
	x := begin(c)
	var asked []*change.Decl
	for _, s := range want {
		g, b, err := resolve(c, s)
		if err != nil {
			return Plan{}, err
		}
		if _, err := x.put(g, b, true); err != nil {
			return Plan{}, err
		}
		asked = append(asked, g, b)
	}
	for _, h := range hunks {
		if _, err := x.patch(h); err != nil {
			return Plan{}, err
		}
		asked = append(asked, h.Of.GoodDecl, h.Of.BadDecl)
	}
	if level >= Files {
		if err := x.widen(asked, level); err != nil {
			return Plan{}, err
		}
	}
	files, err := x.close(level >= Helpers)
	if err != nil {
		return Plan{}, err
	}
	return x.plan(files, level), nil
}

// widen takes all that differs in the files or packages of the asked
// declarations, tests excepted.
func (x *composition) widen(asked []*change.Decl, level Level) error {
	near := func(d *change.Decl) bool {
		return !d.Test() && slices.ContainsFunc(asked, func(a *change.Decl) bool {
			return a != nil && a.Side == d.Side && a.Pkg == d.Pkg && (level == Package || a.Filename == d.Filename)
		})
	}
	for _, g := range x.Good.Decls {
		b := x.Namesake(g)
		if near(g) && (b == nil || !g.Same(b)) {
			if _, err := x.put(g, b, false); err != nil {
				return err
			}
		}
	}
	for _, b := range x.Bad.Decls {
		if near(b) && x.Namesake(b) == nil && !x.gone[b] {
			if _, err := x.remove(b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *composition) plan(files map[string][]*file, level Level) Plan {
	plan := Plan{Level: level, Files: make(map[string][]byte), Notes: x.notes}
	for _, list := range files {
		for _, f := range list {
			plan.Files[f.name] = f.content
		}
	}
	takes := slices.Clone(x.takes)
	slices.SortStableFunc(takes, func(a, b *take) int {
		return rank(a) - rank(b)
	})
	for _, t := range takes {
		if t.good.Func() != nil {
			plan.Functions = append(plan.Functions, t.good.Name())
		} else {
			plan.Decls = append(plan.Decls, t.good.Name())
		}
		if t.adapter != nil {
			plan.Notes = append(plan.Notes, fmt.Sprintf("%s of bad calls good's %s", t.adapter.Name(), t.good.Name()))
		}
	}
	for _, p := range x.patched() {
		for _, h := range p.in {
			plan.Hunks = append(plan.Hunks, h.Name())
		}
	}
	for _, b := range x.mergedInto() {
		for _, r := range x.merged[b] {
			plan.Fields = append(plan.Fields, b.Name()+"."+r.Field)
		}
	}
	for _, b := range x.Bad.Decls {
		if x.gone[b] && !x.filled(b) {
			plan.Removed = append(plan.Removed, b.Name())
		}
	}
	return plan
}

func rank(t *take) int {
	if t.asked {
		return 0
	}
	return 1
}
