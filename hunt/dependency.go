package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
)

// maxOpened is how many packages are opened before the search is led to them.
// With more, finding them one by one is faster.
const maxOpened = 30

// openChanged loads, on both sides, the source of those packages of dependencies
// in different versions that the timed functions reach. What differs in them is
// then as suspect as any other code. It gives how many were opened.
func (h *hunt) openChanged(ctx context.Context) (int, error) {
	goodVersions, badVersions := h.Good.Versions(), h.Bad.Versions()
	opened := 0
	for {
		before := opened
		for _, s := range h.Sides() {
			for _, fn := range s.Prog.Reach(s.Timed) {
				if fn.Node != nil || fn.Pkg == nil || fn.Pkg.Module == nil || s.Closed(fn.Pkg) || opened == maxOpened {
					continue
				}
				if path := fn.Pkg.Module.Path; goodVersions[path] == badVersions[path] {
					continue
				}
				known := len(s.Prog.Packages())
				if _, err := s.OpenPackage(ctx, fn.Pkg); err != nil {
					return opened, err
				}
				opened += len(s.Prog.Packages()) - known
			}
		}
		if opened == before {
			return opened, nil
		}
	}
}

// changedIn are the functions of an opened dependency that the timed functions reach and
// that differ, in both revisions.
func (h *hunt) changedIn(module string) []change.Functions {
	list := h.changedFrom(h.Bad.Timed, module)
	if len(list) == 0 {
		list = h.changedFrom(change.Outermost(h.Bad.Timed), module) // which may have made what is run
	}
	return list
}

// changedFrom are those that a function of bad reaches.
func (h *hunt) changedFrom(from *callgraph.Function, module string) (list []change.Functions) {
	for _, fn := range h.Bad.Prog.Reach(from) {
		if !fn.HasBody() || fn.Pkg.Module == nil || fn.Pkg.Module.Path != module || fn.Outer != nil {
			continue
		}
		twin, ok := h.change().InGood(fn)
		f := change.Functions{Good: twin, Bad: fn}
		if ok && twin.HasBody() && h.change().Differs(f) {
			list = append(list, change.Narrow(h.unwrapped(f)))
		}
	}
	return list
}
