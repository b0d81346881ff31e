package harness

import (
	"fmt"

	"github.com/pinpoint-go/pinpoint/stats"
)

// Work is how many times what good executed bad did, with intervals at 99 %. It
// corroborates a difference of time, and never decides on one.
type Work struct{ Instructions, Cycles stats.Interval }

// WorkOf is the work of pairs; ok is false where it was not counted in all of them, or
// there are fewer than two.
func WorkOf(pairs []Pair) (w Work, ok bool) {
	var good, bad [2][]float64
	for _, p := range pairs {
		if !p.Good.Executed.Counted() || !p.Bad.Executed.Counted() {
			return Work{}, false
		}
		g, b := p.Good.Executed, p.Bad.Executed
		good[0], good[1] = append(good[0], g.Instructions), append(good[1], g.Cycles)
		bad[0], bad[1] = append(bad[0], b.Instructions), append(bad[1], b.Cycles)
	}
	var err [2]error
	w.Instructions, err[0] = stats.PairedRatio(good[0], bad[0], 0.99)
	w.Cycles, err[1] = stats.PairedRatio(good[1], bad[1], 0.99)
	return w, err == [2]error{}
}

// alike is how far a ratio of counts may be from 1 for them to be as many: what the
// collector and the scheduler do differs by so much from process to process.
const alike = 0.02

// Words say what bad, being slower, does more of; empty where counts don't tell.
func (w Work) Words() string {
	switch i, c := w.Instructions, w.Cycles; {
	case i.Low > 1 && i.Mean > 1+alike/4:
		return fmt.Sprintf("bad executes %.3g %% more instructions", 100*(i.Mean-1))
	case i.High < 1-alike:
		return fmt.Sprintf("bad executes %.3g %% fewer instructions", 100*(1-i.Mean))
	case !asMany(i):
		return ""
	case c.Low > 1+alike:
		return fmt.Sprintf("bad executes as many instructions in %.3g %% more cycles: it misses caches, or branches are predicted worse", 100*(c.Mean-1))
	case asMany(c):
		return "bad executes as many instructions in as many cycles: it waits"
	}
	return "bad executes as many instructions: it waits, or misses caches"
}

func asMany(i stats.Interval) bool { return 1-alike < i.Low && i.High < 1+alike }
