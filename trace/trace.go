// Package trace records what takes the time: phases, builds, loading, processes, and
// waiting for others. What it promises:
//
//   - A context without a [Recorder] records nothing, and everything runs as it did.
//   - What began and did not end is in the record, as far as it came.
//   - The file is Chrome's trace event format, which Perfetto (ui.perfetto.dev) opens. What
//     goes on at the same time is on lines of its own.
//
// Times are those of this process's monotonic clock.
package trace

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Kind is what a span is one of.
type Kind string

// The kinds, in the order in which they are shown.
const (
	Phase   Kind = "phase"   // what a reader is told is being done; one at a time
	Build   Kind = "build"   // a binary, all go commands that it takes
	Load    Kind = "load"    // source that is read and type-checked
	Compose Kind = "compose" // good's code put into bad's source, by type-checking
	Command Kind = "command" // a go command of a build
	Process Kind = "process" // a workload, from exec to exit
	Wait    Kind = "wait"    // for another pinpoint on this machine
)

var kinds = []Kind{Phase, Build, Load, Compose, Command, Process, Wait}

// Span is a stretch of time.
type Span struct {
	Kind  Kind
	Name  string
	Began time.Time
	Took  time.Duration // so far, where it has not ended

	lane int // of its kind, from 0: two that overlap have two
	open bool
}

// Recorder keeps spans. Its methods may be called from several goroutines; those of a
// nil one do nothing.
type Recorder struct {
	start time.Time

	mu    sync.Mutex
	spans []*Span // in the order in which they began
	phase *Span   // that is going on; nil: none
}

// New is a recorder that begins now.
func New() *Recorder { return &Recorder{start: time.Now()} }

type key struct{}

// Into has what is done with the context recorded.
func Into(ctx context.Context, r *Recorder) context.Context { return context.WithValue(ctx, key{}, r) }

// From is what a context is recorded by, nil if it is not.
func From(ctx context.Context) *Recorder {
	r, _ := ctx.Value(key{}).(*Recorder)
	return r
}

// Begin begins a span, which lasts until end is called.
func Begin(ctx context.Context, k Kind, name string) (end func()) { return From(ctx).Begin(k, name) }

// Begin is [Begin] where there is no context.
func (r *Recorder) Begin(k Kind, name string) (end func()) {
	if r == nil {
		return func() {}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.add(k, name)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		s.end()
	}
}

// add is a new span on the first line of its kind that is free.
func (r *Recorder) add(k Kind, name string) *Span {
	s := &Span{Kind: k, Name: name, Began: time.Now(), open: true}
	for slices.ContainsFunc(r.spans, func(o *Span) bool { return o.open && o.Kind == k && o.lane == s.lane }) {
		s.lane++
	}
	r.spans = append(r.spans, s)
	return s
}

func (s *Span) end() {
	if s.open {
		s.Took, s.open = time.Since(s.Began), false
	}
}

// Enter ends the phase that is going on and begins another, unless it is the same.
func (r *Recorder) Enter(phase string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.phase == nil:
	case r.phase.Name == phase && r.phase.open:
		return
	default:
		r.phase.end()
	}
	r.phase = r.add(Phase, phase)
}

// Leave ends the phase that is going on.
func (r *Recorder) Leave() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != nil {
		r.phase.end()
	}
}

// Since are the spans that began at a time or later, in that order.
func (r *Recorder) Since(begin time.Time) []Span {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []Span
	for _, s := range r.spans {
		if s.Began.Before(begin) {
			continue
		}
		one := *s
		if one.open {
			one.Took = time.Since(one.Began)
		}
		list = append(list, one)
	}
	return list
}

// Spent is for how long something of each kind was going on, phases left out. What goes
// on twice at the same time counts once.
func Spent(spans []Span) map[Kind]time.Duration {
	spent := make(map[Kind]time.Duration)
	until := make(map[Kind]time.Time)
	for _, s := range spans { // in the order in which they began
		if s.Kind == Phase {
			continue
		}
		from, to := s.Began, s.Began.Add(s.Took)
		if from.Before(until[s.Kind]) {
			from = until[s.Kind]
		}
		if to.After(from) {
			spent[s.Kind] += to.Sub(from)
			until[s.Kind] = to
		}
	}
	return spent
}
