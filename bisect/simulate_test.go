package bisect

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

// A world is a history whose levels are known, and a machine to measure it on.
type world struct {
	commits []Commit
	level   map[string]float64 // of a commit that is not erratic; good has 1
	erratic map[string][2]float64
	broken  map[string]bool
	noise   float64 // standard deviation of the logarithm of a process's time
	rand    *rand.Rand
	sampled map[string]int // pairs
}

// line is n commits in a row, c0 to c(n-1), with the levels that at gives.
func line(n int, seed uint64, noise float64, at func(i int) float64) *world {
	w := &world{
		level: make(map[string]float64), erratic: make(map[string][2]float64), broken: make(map[string]bool),
		noise: noise, rand: rand.New(rand.NewPCG(seed, 7)), sampled: make(map[string]int),
	}
	for i := range n {
		c := Commit{Hash: name(i)}
		if i > 0 {
			c.Parents = []string{name(i - 1)}
		} else {
			c.Parents = []string{"good"}
		}
		w.commits = append(w.commits, c)
		w.level[c.Hash] = at(i)
	}
	return w
}

func name(i int) string { return fmt.Sprintf("c%02d", i) }

// jump is a level of 1 until a commit, and another one from it on.
func jump(at int, to float64) func(int) float64 {
	return func(i int) float64 {
		if i < at {
			return 1
		}
		return to
	}
}

// sample draws pairs: each on a machine whose speed drifts, and with a
// disturbance of one process in twenty.
func (w *world) sample(_ context.Context, commit string, n int) (Samples, error) {
	if w.broken[commit] {
		return Samples{}, &Untestable{Reason: "it does not build"}
	}
	w.sampled[commit] += n
	var s Samples
	for range n {
		drift := math.Exp(0.1 * w.rand.NormFloat64())
		process := func(level float64) float64 {
			x := level * drift * math.Exp(w.noise*w.rand.NormFloat64())
			if w.rand.IntN(20) == 0 {
				x *= 1 + w.rand.Float64()
			}
			return x
		}
		level := w.level[commit]
		if e, ok := w.erratic[commit]; ok {
			level = e[w.rand.IntN(2)]
		}
		s.Good = append(s.Good, process(1))
		s.Commit = append(s.Commit, process(level))
	}
	return s, nil
}

func (w *world) config(t *testing.T) Config {
	t.Helper()
	h, err := NewHistory(w.commits)
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		History: h, Bad: w.commits[len(w.commits)-1].Hash,
		Alpha: 0.01, MinEffect: 0.01, Test: stats.TestAuto, Sample: w.sample,
	}
}

func (w *world) find(t *testing.T) *Result {
	t.Helper()
	r, err := Find(t.Context(), w.config(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tally counts what many searches came to.
type tally struct {
	right, wrong, oneOf, hidden, none int
	pairs, commits                    int
}

func (c *tally) add(w *world, r *Result, want string) {
	switch {
	case r.First == want:
		c.right++
	case r.First != "":
		c.wrong++
	case slices.Contains(r.OneOf, want):
		c.oneOf++
	case len(r.OneOf) > 0:
		c.hidden++
	default:
		c.none++
	}
	for _, n := range w.sampled {
		c.pairs += n
	}
	c.commits += len(w.sampled)
}

// TestSearchesNameTheRightCommit is the promise of the package: over thousands of
// histories, a wrong commit is named less often than the error allows, and the
// right one nearly always.
func TestSearchesNameTheRightCommit(t *testing.T) {
	for _, c := range []struct {
		name   string
		runs   int
		noise  float64
		to     float64
		alpha  float64
		least  float64 // share of the searches that name the right one
		change func(w *world, culprit int)
	}{
		{name: "twice as slow", runs: 1000, noise: 0.05, to: 2, least: 0.98},
		{name: "ten times as slow", runs: 1000, noise: 0.05, to: 10, least: 0.98},
		{name: "a tenth slower", runs: 300, noise: 0.03, to: 1.1, least: 0.95},
		{name: "much error allowed", runs: 300, noise: 0.3, to: 2, alpha: 0.3, least: 0.5},
		{name: "an erratic neighbour before", runs: 500, noise: 0.05, to: 2, least: 0.95, change: func(w *world, k int) {
			w.erratic[name(k-1)] = [2]float64{1, 3}
		}},
		{name: "an erratic neighbour after", runs: 500, noise: 0.05, to: 2, least: 0.95, change: func(w *world, k int) {
			w.erratic[name(k+1)] = [2]float64{1, 2}
		}},
		{name: "erratic commits everywhere", runs: 300, noise: 0.05, to: 2, least: 0.9, change: func(w *world, k int) {
			for i := range 63 {
				if i != k && i%3 == 0 {
					w.erratic[name(i)] = [2]float64{1, 2.5}
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var sum tally
			alpha := max(c.alpha, 0.01)
			for seed := range uint64(c.runs) {
				culprit := 2 + int(seed%60)
				w := line(64, seed, c.noise, jump(culprit, c.to))
				if c.change != nil {
					c.change(w, culprit)
				}
				cfg := w.config(t)
				cfg.Alpha = alpha
				r, err := Find(t.Context(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				if r.Spent > alpha {
					t.Fatalf("seed %d: the search spent %v of %v", seed, r.Spent, alpha)
				}
				sum.add(w, r, name(culprit))
			}
			runs := float64(c.runs)
			t.Logf("%+v: %.1f commits and %.0f pairs a search", sum, float64(sum.commits)/runs, float64(sum.pairs)/runs)
			expected := alpha * runs
			if float64(sum.wrong) > expected+3*math.Sqrt(expected) {
				t.Errorf("%d of %d searches named a wrong commit", sum.wrong, c.runs)
			}
			if float64(sum.right) < c.least*runs {
				t.Errorf("only %d of %d searches named the right commit", sum.right, c.runs)
			}
		})
	}
}

// TestEqualEndsNameNothing runs searches in which nothing differs.
func TestEqualEndsNameNothing(t *testing.T) {
	accused := 0
	const runs = 150
	for seed := range uint64(runs) {
		w := line(64, seed, 0.05, jump(64, 1))
		cfg := w.config(t)
		cfg.Alpha, cfg.MinEffect = 0.05, 0.05
		r, err := Find(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if r.First != "" || len(r.OneOf) > 0 {
			accused++
		}
	}
	if accused > 12 {
		t.Errorf("%d of %d searches between equal ends named commits", accused, runs)
	}
}
