package revision

import (
	"cmp"
	"context"
	"sync"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// LoadPair loads good and then bad, which finds compiled what both link.
func (s *Set) LoadPair(ctx context.Context) (progs change.Pair[*callgraph.Program], err error) {
	if err := s.settle(ctx); err != nil {
		return progs, err
	}
	p := s.Pair()
	if progs.Good, err = p.Good.Load(ctx); err == nil {
		progs.Bad, err = p.Bad.Load(ctx)
	}
	return progs, err
}

// settle finds out how both sides are built, at the same time.
func (s *Set) settle(ctx context.Context) error {
	_, err := change.Both(s.Pair(), func(r *Revision) (harness.Side, error) { return r.side(ctx) })
	return err
}

// Unload forgets the code that was loaded, which is loaded anew when it is asked for again:
// that of many packages at the same time takes gigabytes.
func (s *Set) Unload() {
	for _, r := range s.all {
		r.code.program.forget()
	}
}

// BuildPair builds both sides at the same time.
func (s *Set) BuildPair(ctx context.Context, b change.Pair[Build]) (change.Pair[harness.Binary], error) {
	return change.Both(change.Zip(s.Pair(), b, order), func(o ordered) (harness.Binary, error) { return o.of.Build(ctx, o.Build) })
}

// ordered is a build of a revision.
type ordered struct {
	of *Revision
	Build
}

func order(r *Revision, b Build) ordered { return ordered{r, b} }

// BuildEach builds the same of both sides at the same time. Each has its own error.
func (s *Set) BuildEach(ctx context.Context, b Build) (bins change.Pair[harness.Binary], errs change.Pair[error]) {
	p := s.Pair()
	change.Together(
		func() error { bins.Good, errs.Good = p.Good.Build(ctx, b); return errs.Good },
		func() error { bins.Bad, errs.Bad = p.Bad.Build(ctx, b); return errs.Bad },
	)
	return bins, errs
}

// Prepare loads both sides' code and builds them unprobed. Good is loaded first, as far as
// the go command does that: what both link besides their own code is compiled once by it,
// and not by several go commands at the same time. What a build says of a side that does
// not compile tells more than what loading says.
func (s *Set) Prepare(ctx context.Context) (bins change.Pair[harness.Binary], err error) {
	if s.spec.Meter == instrument.MeterCalls { // which builds find in the code
		if _, err := s.LoadPair(ctx); err != nil {
			return bins, err
		}
		return s.BuildPair(ctx, change.Pair[Build]{})
	}
	if err := s.settle(ctx); err != nil {
		return bins, err
	}
	p := s.Pair()
	compiled := make(chan struct{})
	tell := sync.OnceFunc(func() { close(compiled) })
	var unloaded error
	err = change.Together(
		func() error {
			return change.Together(
				func() error { _, unloaded = p.Good.loadTelling(ctx, tell); tell(); return nil },
				func() (err error) { <-compiled; bins.Good, err = p.Good.Build(ctx, Build{}); return err },
			)
		},
		func() error {
			<-compiled
			return change.Together(
				func() (err error) { bins.Bad, err = p.Bad.Build(ctx, Build{}); return err },
				func() error { _, err := p.Bad.Load(ctx); return err },
			)
		},
	)
	return bins, cmp.Or(err, unloaded)
}
