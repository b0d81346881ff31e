package change

import (
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// GroupPart is a part of a group of recursive functions in either revision: a call that
// leaves the group, or a leaf.
type GroupPart struct {
	In    Functions // the members that the calls are in; nil on a side that lacks it
	Calls Pair[*callgraph.Call]
	Leaf  Functions // instead of calls
}

// AlignGroups matches the parts of a group in both revisions: member by member as
// [Align] has it, then the leaves. The functions through which both are entered are
// taken for the same. A member that one revision lacks, or has outside of the group,
// has its parts on one side.
func (c *Change) AlignGroups(good, bad *callgraph.Group) []GroupPart {
	var parts []GroupPart
	left := slices.Clone(good.Members)
	for i, b := range bad.Members {
		twin, _ := c.InGood(b.Func)
		j := slices.IndexFunc(left, func(g *callgraph.Layer) bool {
			if i == 0 || g.Func == good.Func {
				return i == 0 && g.Func == good.Func
			}
			return g.Func == twin
		})
		g := new(callgraph.Layer)
		if j >= 0 {
			g = left[j]
			left = slices.Delete(left, j, j+1)
		}
		parts = append(parts, alignMembers(g, b)...)
	}
	for _, g := range left {
		parts = append(parts, alignMembers(g, new(callgraph.Layer))...)
	}
	return append(parts, c.alignLeaves(good.Leaves, bad.Leaves)...)
}

func alignMembers(good, bad *callgraph.Layer) (parts []GroupPart) {
	for _, p := range Align(good, bad) {
		part := GroupPart{In: Functions{Good: good.Func, Bad: bad.Func}}
		if p.Good >= 0 {
			part.Calls.Good = good.Calls[p.Good]
		}
		if p.Bad >= 0 {
			part.Calls.Bad = bad.Calls[p.Bad]
		}
		parts = append(parts, part)
	}
	return parts
}

func (c *Change) alignLeaves(good, bad []*callgraph.Function) (parts []GroupPart) {
	left := slices.Clone(good)
	for _, b := range bad {
		part := GroupPart{Leaf: Functions{Bad: b}}
		twin, _ := c.InGood(b)
		if j := slices.Index(left, twin); j >= 0 {
			part.Leaf.Good = twin
			left = slices.Delete(left, j, j+1)
		}
		parts = append(parts, part)
	}
	for _, g := range left {
		parts = append(parts, GroupPart{Leaf: Functions{Good: g}})
	}
	return parts
}
