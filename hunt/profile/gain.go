package profile

import (
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
)

// Gained are the shares of a difference, bad being ratio times good, that the profiles of
// both sides see in each of n, and in nothing beneath it that is one of them.
func Gained(ratio float64, n int, stacks change.Pair[[]Stack], whose change.Pair[func(i int, fn *callgraph.Function) bool]) []float64 {
	of := func(stacks []Stack, is func(int, *callgraph.Function) bool) attribution {
		return attribution{stacks, func(fn *callgraph.Function) int {
			for i := range n {
				if is(i, fn) {
					return i
				}
			}
			return -1
		}}
	}
	return gains(ratio, n, of(stacks.Good, whose.Good), of(stacks.Bad, whose.Bad))
}

// attribution says on whom the samples of a profile are counted.
type attribution struct {
	stacks []Stack
	whose  func(*callgraph.Function) int // -1: nobody's
}

// exclusive counts each stack for the deepest that is somebody's on it: what lies further
// up may only call it. It gives all samples, too.
func (a attribution) exclusive(n int) (of []float64, all float64) {
	of = make([]float64, n)
	whose := make(map[*callgraph.Function]int)
	for _, st := range a.stacks {
		all += float64(st.Weight)
		for k := len(st.Sites) - 1; k >= 0; k-- {
			fn := st.Sites[k].Func
			i, known := whose[fn]
			if !known {
				i = a.whose(fn)
				whose[fn] = i
			}
			if i >= 0 {
				of[i] += float64(st.Weight)
				break
			}
		}
	}
	return of, all
}

// Inclusive counts each stack for every function on it, once, and all of them.
func Inclusive(stacks []Stack) (of map[*callgraph.Function]float64, all float64) {
	of = make(map[*callgraph.Function]float64)
	for _, st := range stacks {
		all += float64(st.Weight)
		seen := make(map[*callgraph.Function]bool)
		for _, at := range st.Sites {
			if !seen[at.Func] {
				seen[at.Func] = true
				of[at.Func] += float64(st.Weight)
			}
		}
	}
	return of, all
}

// gains are the shares of a difference, bad being ratio times good, that two profiles see
// in each of n. A profile that has nothing says nothing.
func gains(ratio float64, n int, good, bad attribution) []float64 {
	was, allGood := good.exclusive(n)
	is, allBad := bad.exclusive(n)
	shares := make([]float64, n)
	if allGood == 0 || allBad == 0 || !(ratio > 1) {
		return shares
	}
	for i := range shares {
		shares[i] = GainShare(ratio, was[i]/allGood, is[i]/allBad)
	}
	return shares
}

// GainShare is the share of a difference, bad being ratio times good, that is in what takes
// such shares of the sides' time.
func GainShare(ratio, good, bad float64) float64 { return (ratio*bad - good) / (ratio - 1) }
