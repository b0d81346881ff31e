package finder

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pinpoint-go/pinpoint/stats"
)

// worldAlpha is the error that a search may make in a world.
const worldAlpha = .01

// world is a change of which it is known who is to blame.
type world struct {
	n      int
	weight []float64
	gone   func(set []bool) float64 // the share that is gone with a set put back
	needs  [][]int                  // what compiles only along with what
	step   bool                     // Closure tells what is needed, and not what that needs
	fails  func(set []bool) bool    // what compiles and does not run
	rng    *rand.Rand
	ledger stats.Ledger
	sd     float64 // of one sample
	asked  int     // closures
}

func newWorld(n int, seed uint64) *world {
	w := &world{n: n, rng: rand.New(rand.NewPCG(seed, 7)), sd: .3, needs: make([][]int, n)}
	w.ledger.Alpha = worldAlpha
	for range n {
		w.weight = append(w.weight, math.Exp(2*w.rng.NormFloat64()))
	}
	return w
}

// some returns different elements.
func (w *world) some(k int) []int { return w.rng.Perm(w.n)[:k] }

// additive makes elements worth their shares.
func (w *world) additive(shares map[int]float64) {
	list := make([]float64, w.n)
	for i, share := range shares {
		list[i] = share
	}
	w.gone = func(set []bool) (sum float64) {
		for i, in := range set {
			if in {
				sum += list[i]
			}
		}
		return sum
	}
}

// once is closure, or as much of it as is told at once.
func (w *world) once(set []int) ([]int, error) {
	w.asked++
	if !w.step {
		return w.closure(set)
	}
	with := set
	for _, i := range set {
		with = union(with, w.needs[i])
	}
	return with, nil
}

func (w *world) closure(set []int) ([]int, error) {
	have, todo := w.mask(set), slices.Clone(set)
	for len(todo) > 0 {
		i := todo[0]
		todo = todo[1:]
		for _, k := range w.needs[i] {
			if !have[k] {
				have[k] = true
				todo = append(todo, k)
			}
		}
	}
	var with []int
	for i, in := range have {
		if in {
			with = append(with, i)
		}
	}
	return with, nil
}

// mask is a set as one flag per element.
func (w *world) mask(set []int) []bool {
	m := make([]bool, w.n)
	for _, i := range set {
		m[i] = true
	}
	return m
}

// looks is how often an answer is looked at, with twice as many samples each time.
const looks = 8

// answer measures until the limit is outside of the interval.
func (w *world) answer(stage stats.Stage) func(context.Context, Question) (stats.Interval, error) {
	return func(_ context.Context, q Question) (stats.Interval, error) {
		set := w.mask(q.Set)
		if with, _ := w.closure(q.Set); len(with) != len(q.Set) {
			return stats.Interval{}, fmt.Errorf("asked for %v, which needs %v", q.Set, with)
		}
		if w.fails != nil && w.fails(set) {
			return stats.Interval{}, fmt.Errorf("running %v: %w", q.Set, ErrCannot)
		}
		truth := w.gone(set) - w.gone(w.mask(q.Base))
		z := distuv.UnitNormal.Quantile(1 - w.ledger.Open(stage, looks, 1)/2)
		sum, n := 0.0, 0
		for look := 1; ; look++ {
			for ; n < 1<<look; n++ {
				sum += truth + w.sd*w.rng.NormFloat64()
			}
			mean, half := sum/float64(n), z*w.sd/math.Sqrt(float64(n))
			i := stats.Interval{Mean: mean, Low: mean - half, High: mean + half}
			if i.Low > q.Limit || i.High < q.Limit || look == looks {
				return i, nil
			}
		}
	}
}

func (w *world) halves() *Halves {
	h := &Halves{Closure: w.once, Try: w.answer(stats.Search), Prove: w.answer(stats.Confirmation)}
	for _, x := range w.weight {
		h.Elements = append(h.Elements, Element{x})
	}
	return h
}

func (w *world) find() Found { return w.halves().Find(context.Background()) }

// wrong says what is untrue of a finding; "" if nothing is.
func (w *world) wrong(f Finding) string {
	of := func(sets ...[]int) float64 {
		var set []int
		for _, s := range sets {
			set = union(set, s)
		}
		return w.gone(w.mask(set))
	}
	all, _ := w.closure(f.Set())
	switch f.Blame {
	case Either:
		for _, s := range f.Sets {
			if c, _ := w.closure(s); of(c) <= DefaultMinShare {
				return fmt.Sprintf("%v takes nothing away", s)
			}
		}
		return ""
	case Together:
		for i := range f.Sets {
			rest := slices.Concat(slices.Delete(slices.Clone(f.Sets), i, i+1)...)
			if of(all)-of(rest, f.With) <= DefaultMinShare {
				return fmt.Sprintf("%v is not needed", f.Sets[i])
			}
		}
	case Alone:
		if len(f.Set()) != 1 {
			return "more than one"
		}
	}
	if share := of(f.Set(), f.With) - of(f.With); share <= DefaultMinShare {
		return fmt.Sprintf("takes away %.2f", share)
	} else if share < f.Share.Low || share > f.Share.High {
		return fmt.Sprintf("takes away %.2f, and is said to %v", share, f.Share)
	}
	return ""
}
