package hunt

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
)

// Time in new functions is counted once a stack, however many of them are on it.
func TestNewTime(t *testing.T) {
	old, check, digest := &callgraph.Function{Name: "old"}, &callgraph.Function{Name: "check"}, &callgraph.Function{Name: "digest"}
	stack := func(weight int64, list ...*callgraph.Function) (st profile.Stack) {
		st.Weight = weight
		for _, fn := range list {
			st.Sites = append(st.Sites, profile.Site{Func: fn})
		}
		return st
	}
	stacks := []profile.Stack{stack(60, old), stack(30, old, check, digest), stack(10, old, check)}
	total, within, of := newTime(stacks, func(fn *callgraph.Function) bool { return fn != old })
	if total != 100 || within != 40 || of[check] != 40 || of[digest] != 30 || len(of) != 2 {
		t.Errorf("%v of %v in %v", within, total, of)
	}
}
