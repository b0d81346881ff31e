// Package sides is the two revisions as a hunt knows them: the source of each as it was
// loaded, its unprobed binary, and what of it the workload times and can reach. It
// promises that a place is named alike wherever it is told.
package sides

import (
	"context"
	"go/token"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Side is one revision.
type Side struct {
	*revision.Revision
	Which    change.Which
	Prog     *callgraph.Program
	Layout   uint64 // of a link; 0: as the linker has it
	Unprobed harness.Binary
	Timed    *callgraph.Function // what the benchmark times; found when it has run
	Serves   bool                // it is a server, whose goroutines do what the timed function waits for
}

// Make makes one binary of the side with files laid over the tree.
func (s *Side) Make(ctx context.Context, files map[string][]byte, probes int) (harness.Binary, error) {
	return s.Build(ctx, revision.Build{Files: files, Probes: probes, Layout: s.Layout})
}

// Decide are the compiler's decisions about the package of a function, with files laid over
// the side.
func (s *Side) Decide(ctx context.Context, files map[string][]byte, fn *callgraph.Function) (harness.Decisions, error) {
	return s.Decisions(ctx, revision.Build{Files: files}, strings.HasSuffix(fn.Filename(), "_test.go"), fn.Pkg.PkgPath)
}

// In is the side as it is linked in another order.
func (s *Side) In(order uint64) *Side {
	ordered := *s
	ordered.Layout = order
	return &ordered
}

// Entrant is the side's unprobed binary, to be compared in any link order.
func (s *Side) Entrant() *compare.Entrant {
	return compare.NewEntrant(s.Unprobed, func(ctx context.Context, order uint64) (harness.Binary, error) {
		return s.In(order).Make(ctx, nil, 0)
	})
}

// LookUp is the function of a name; nil if the side has none.
func (s *Side) LookUp(name string) *callgraph.Function {
	fn, err := s.Prog.Func(name)
	if err != nil {
		return nil
	}
	return fn
}

// FunctionAt finds a function as the runtime tells of it: by its place or, where
// the build was told to trim paths, by its name; nil when its source is not loaded.
func (s *Side) FunctionAt(file string, line int, name string) *callgraph.Function {
	if fn, err := s.Prog.FuncAt(file, line); err == nil {
		return fn
	}
	if fn := s.Prog.Lookup(name); fn != nil && fn.Node != nil {
		return fn
	}
	return nil
}

// Pair is both of them.
type Pair struct{ Good, Bad *Side }

// Sides are both, good's first.
func (p Pair) Sides() []*Side { return []*Side{p.Good, p.Bad} }

// Position shows a place as file:line:col relative to the revision's tree.
func (p Pair) Position(pos token.Position) string {
	if !pos.IsValid() {
		return ""
	}
	if _, ok := p.Good.InTree(pos.Filename); ok {
		return p.Good.Revision.Position(pos)
	}
	return p.Bad.Revision.Position(pos)
}
