package hunt

import (
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
)

// reached are the functions that the workload can reach, on either side: what is timed,
// and what is declared around it, which may make the handlers and tables that are then
// run where the source alone doesn't tell.
func (h *hunt) reached() map[*callgraph.Function]bool {
	return h.reachedFrom(func(s *side) *callgraph.Function { return change.Outermost(s.timed) })
}

// reachedWhileTimed are those of them that the source alone says are run by what is
// timed. A declaration is, too, if a literal in it is.
func (h *hunt) reachedWhileTimed() map[*callgraph.Function]bool {
	return h.reachedFrom(func(s *side) *callgraph.Function { return s.timed })
}

func (h *hunt) reachedFrom(start func(*side) *callgraph.Function) map[*callgraph.Function]bool {
	reached := make(map[*callgraph.Function]bool)
	for _, s := range []*side{h.good, h.bad} {
		for _, fn := range s.prog.Reach(start(s)) {
			for ; fn != nil; fn = fn.Outer {
				reached[fn] = true
			}
		}
	}
	return reached
}
