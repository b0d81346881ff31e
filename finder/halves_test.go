package finder

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

// Searches in changes of which it is known who is to blame name somebody else at most as
// often as the ledger says, find who it is, and don't take more tries than they may.
func TestFindInWorlds(t *testing.T) {
	for _, test := range worlds {
		t.Run(test.name, func(t *testing.T) {
			rounds := howMany(500)
			wrong, right, found, tries, most, closures := 0, 0, 0, 0, 0, 0
			for seed := range rounds {
				w, truth := test.make(uint64(seed))
				f := w.find()
				closures += w.asked
				if f.Err != nil {
					t.Fatalf("seed %d: %v", seed, f.Err)
				}
				tries += f.Tries
				most = max(most, f.Tries)
				var named []int
				for _, c := range f.Culprits {
					if why := w.wrong(c); why != "" {
						wrong++
						t.Logf("seed %d: %+v: %s", seed, c, why)
						break
					}
					if c.Blame != Spread {
						named = union(named, c.Set())
					}
				}
				if slices.Equal(named, truth) {
					right++
				}
				if within(truth, named) {
					found++
				}
			}
			n := float64(rounds)
			t.Logf("wrong %d, right %d, found among others %d, of %d; %.1f tries, at most %d; %.1f closures", wrong, right, found-right, rounds, float64(tries)/n, most, float64(closures)/n)
			if limit := n*worldAlpha + 3*math.Sqrt(n*worldAlpha); float64(wrong) > limit {
				t.Errorf("%d of %d wrong, at most %.0f may be", wrong, rounds, limit)
			}
			if float64(right) < test.right*n {
				t.Errorf("right in %d of %d, want %v", right, rounds, test.right)
			}
			if float64(found) < test.found*n {
				t.Errorf("found in %d of %d, want %v", found, rounds, test.found)
			}
			if most > test.most {
				t.Errorf("took %d tries, may take %d", most, test.most)
			}
		})
	}
}

var worlds = []struct {
	name         string
	right, found float64 // at least, of the searches: named exactly, and named
	most         int     // tries
	make         func(seed uint64) (*world, []int)
}{
	{"nothing", 1, 1, 8, func(seed uint64) (*world, []int) {
		w := newWorld(1+int(seed%100), seed)
		w.additive(nil)
		return w, nil
	}},
	{"one, local", 0.99, 0.99, 2, func(seed uint64) (*world, []int) {
		w := newWorld(1+int(seed%100), seed)
		c := w.some(1)
		w.weight[c[0]] += 2 * sum(w.weight)
		w.additive(map[int]float64{c[0]: 1})
		return w, c
	}},
	{"one, displaced", 0.99, 0.99, 11, func(seed uint64) (*world, []int) {
		w := newWorld(1+int(seed%100), seed)
		c := w.some(1)
		w.additive(map[int]float64{c[0]: 1})
		return w, c
	}},
	{"one of 60", 0.99, 0.99, 8, func(seed uint64) (*world, []int) {
		w := newWorld(60, seed)
		c := w.some(1)
		w.weight[c[0]] = 0
		w.additive(map[int]float64{c[0]: 1})
		return w, c
	}},
	{"two 65:35", 0.95, 0.95, 24, func(seed uint64) (*world, []int) {
		w := newWorld(2+int(seed%60), seed)
		c := w.some(2)
		w.additive(map[int]float64{c[0]: .65, c[1]: .35})
		return w, union(c, nil)
	}},
	{"both", .95, .95, 20, func(seed uint64) (*world, []int) {
		w := newWorld(2+int(seed%60), seed)
		c := w.some(2)
		w.gone = func(set []bool) float64 {
			if set[c[0]] && set[c[1]] {
				return 1
			}
			return 0
		}
		return w, union(c, nil)
	}},
	{"either", 0.95, 0.95, 20, func(seed uint64) (*world, []int) {
		w := newWorld(4+int(seed%60), seed)
		c := w.some(2)
		w.gone = func(set []bool) float64 {
			if set[c[0]] || set[c[1]] {
				return 1
			}
			return 0
		}
		return w, union(c, nil)
	}},
	{"closures", .95, .98, 16, func(seed uint64) (*world, []int) {
		w := newWorld(5+int(seed%60), seed)
		for i := range w.n {
			for range w.rng.IntN(3) {
				if w.rng.IntN(2) == 0 {
					w.needs[i] = append(w.needs[i], w.rng.IntN(w.n))
				}
			}
		}
		c := w.some(1)
		w.additive(map[int]float64{c[0]: 1})
		return w, c
	}},
	{"a favourite that drags the culprit along", .98, .98, 14, func(seed uint64) (*world, []int) {
		w := newWorld(3+int(seed%60), seed)
		c := w.some(3)
		w.weight[c[0]] += 2 * sum(w.weight)
		w.needs[c[0]] = []int{c[1], c[2]}
		w.additive(map[int]float64{c[1]: 1})
		return w, c[1:2]
	}},
	{"an improvement beside it", .98, .98, 20, func(seed uint64) (*world, []int) {
		w := newWorld(3+int(seed%60), seed)
		c := w.some(2)
		w.additive(map[int]float64{c[0]: 1.15, c[1]: -.15})
		return w, c[:1]
	}},
	{"a large improvement beside it", .95, .95, 20, func(seed uint64) (*world, []int) {
		w := newWorld(3+int(seed%60), seed)
		c := w.some(2)
		w.additive(map[int]float64{c[0]: 1.8, c[1]: -.8})
		return w, c[:1]
	}},
	{"too much", .98, .98, 20, func(seed uint64) (*world, []int) { // good's code does no work in bad
		w := newWorld(3+int(seed%60), seed)
		w.sd = .02 // so that it surely is
		c := w.some(1)[0]
		w.gone = func(set []bool) float64 {
			if set[c] && slices.Contains(set, false) {
				return 1.8
			} else if set[c] {
				return 1
			}
			return 0
		}
		return w, nil
	}},
	{"closures, step by step", .95, .98, 16, func(seed uint64) (*world, []int) {
		w := newWorld(5+int(seed%60), seed)
		w.step = true
		order := w.some(w.n) // nobody needs each other
		for at, i := range order[1:] {
			if w.rng.IntN(3) == 0 {
				w.needs[i] = append(w.needs[i], order[w.rng.IntN(at+1)])
			}
		}
		c := w.some(1)
		w.additive(map[int]float64{c[0]: 1})
		return w, c
	}},
	{"fails", 0.98, 0.99, 40, func(seed uint64) (*world, []int) {
		w := newWorld(5+int(seed%60), seed)
		c := w.some(1)
		p := w.some(4)
		w.fails = func(set []bool) bool { return set[p[0]] && !set[p[1]] || set[p[2]] && !set[p[3]] }
		w.additive(map[int]float64{c[0]: 1})
		return w, c
	}},
	{"only small sets run", .9, .95, 40, func(seed uint64) (*world, []int) {
		w := newWorld(20+int(seed%40), seed)
		c := w.some(1)
		w.weight[c[0]] += slices.Max(w.weight) // one of the heaviest
		w.fails = func(set []bool) bool { return count(set) > 4 }
		w.additive(map[int]float64{c[0]: 1})
		return w, c
	}},
	{"noise of others", 0.95, 0.98, 40, func(seed uint64) (*world, []int) {
		w := newWorld(5+int(seed%60), seed)
		c := w.some(1)
		shares := make(map[int]float64)
		for i := range w.n {
			shares[i] = .03 * w.rng.NormFloat64()
		}
		shares[c[0]] = 1
		w.additive(shares)
		return w, c
	}},
	{"spread", .98, .98, 40, func(seed uint64) (*world, []int) { return spread(seed), nil }},
}

// spread is a change that is slower all over.
func spread(seed uint64) *world {
	w := newWorld(40, seed)
	shares := make(map[int]float64)
	for i := range w.n {
		shares[i] = 1. / 40
	}
	w.additive(shares)
	return w
}

// Of a change that is slower all over it is said that it is, and where most of it is.
func TestFindSpread(t *testing.T) {
	said := 0
	for seed := range uint64(200) {
		f := spread(seed).find()
		if len(f.Culprits) == 1 && f.Culprits[0].Blame == Spread && len(f.Culprits[0].Set()) >= 15 {
			said++
		}
	}
	if said < 190 {
		t.Errorf("said of %d of 200", said)
	}
}

func sum(xs []float64) (s float64) {
	for _, x := range xs {
		s += x
	}
	return s
}

func count(set []bool) (n int) {
	for _, in := range set {
		if in {
			n++
		}
	}
	return n
}

// What drags another along is asked for on top of it at once, and held against the part of
// the step that is decided soonest.
func TestMiddleAsksOnTop(t *testing.T) {
	var asked []Question
	gone := func(set []int) float64 { return float64(len(minus(set, []int{1}))) } // 0 makes it, and needs 1
	h := Halves{
		Elements: []Element{{Weight: 2}, {Weight: 1}}, Even: 0.2,
		Closure: func(set []int) ([]int, error) {
			if within([]int{0}, set) {
				return []int{0, 1}, nil
			}
			return set, nil
		},
		Try: func(_ context.Context, q Question) (stats.Interval, error) {
			share := gone(q.Set)
			return stats.Interval{Mean: share, Low: share - 0.05, High: share + 0.05}, nil
		},
		Prove: func(_ context.Context, q Question) (stats.Interval, error) {
			asked = append(asked, q)
			share := gone(q.Set) - gone(q.Base)
			return stats.Interval{Mean: share, Low: share - 0.3, High: share + 0.3}, nil
		},
	}
	found := h.Find(t.Context())
	if len(found.Culprits) != 1 || !slices.Equal(found.Culprits[0].Set(), []int{0}) || !slices.Equal(found.Culprits[0].With, []int{1}) {
		t.Fatalf("%+v", found)
	}
	if len(asked) == 0 || !slices.Equal(asked[0].Base, []int{1}) || asked[0].Limit != 0.2 {
		t.Errorf("asked %+v", asked)
	}
}
