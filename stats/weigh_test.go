package stats

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats/noisy"
)

func TestWeigh(t *testing.T) {
	slower, faster, same := Interval{1.03, 1.02, 1.04}, Interval{.96, .95, .97}, Interval{1, .995, 1.005}
	for _, test := range []struct {
		name          string
		typical, mean Interval
		want          Verdict
		regression    bool
	}{
		{"both slower", slower, slower, Slower, true},
		{"both the same", same, same, Same, false},
		{"both faster", faster, faster, Faster, false},
		{"most slower, the mean faster", slower, faster, Mixed, false},
		{"most faster, the mean slower", faster, slower, Mixed, true},
		{"most slower, the mean the same", slower, same, Mixed, false},
		{"most the same, the mean slower", same, slower, Slower, true},
		{"most the same, the mean faster", same, faster, Faster, false},
		{"most faster, the mean the same", faster, same, Same, false},
		{"the mean agrees as far as it is known", slower, Interval{1.04, .95, 1.14}, Slower, true},
		{"it doesn't as far as it is known", slower, Interval{.99, .9, 1.09}, Unknown, false},
		{"it is not known", slower, Interval{1, 0, 1e9}, Unknown, false},
		{"the mean may be slower", same, Interval{1, .97, 1.03}, Unknown, false},
		{"and most are faster", faster, Interval{1, .97, 1.03}, Unknown, false},
		{"the mean is the same or faster", same, Interval{.98, .96, 1.003}, Same, false},
		{"most faster, the mean no slower", faster, Interval{.98, .96, 1.003}, Faster, false},
		{"the mean faster, most may be slower", Interval{1, .97, 1.03}, faster, Unknown, false},
		{"the mean slower, most not known", Interval{1, .9, 1.1}, slower, Slower, true},
		{"nothing", noRatio(), noRatio(), Unknown, false},
	} {
		w := Weigh(test.typical, test.mean, .01)
		if w.Verdict != test.want || w.Regression() != test.regression {
			t.Errorf("%s: %+v, regression %v, want %v, %v", test.name, w, w.Regression(), test.want, test.regression)
		}
	}
}

// fastest is the mean of the fastest eighth of batches without the first tenth, and all is
// the mean of these, as samples are made.
func summaries(batches []float64) (fastest, all float64) {
	warm := slices.Sorted(slices.Values(batches[(len(batches)+9)/10:]))
	return Summarize(warm[:(len(warm)+7)/8]).Mean, Summarize(warm).Mean
}

// What fast batches say and what users pay, where the two differ: once all that was
// decided by the fast batches was wrong in most of these.
func TestWeighKnowsTheMean(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 25
	}
	calm := noisy.Machine{Scatter: .03, Turns: .006, Batches: noisy.Batches{Jitter: .02}}
	busy := noisy.InTurns
	busy.Batches = noisy.Batches{Jitter: .02, Burst: .02, Lasting: 4, BurstBy: 2}
	collects := noisy.Side{Rare: .1, RareBy: 2.9}
	for _, test := range []struct {
		name      string
		machine   noisy.Machine
		good, bad noisy.Side
		right     func(w Weighed) bool
		fast      Verdict // what the fast batches alone say to most
		pairs     int
		decides   int // of a hundred, at least
	}{
		{"the mean is 14 % less, each batch 3 % more", calm, collects, noisy.Side{Op: 1.03},
			func(w Weighed) bool { return w.Verdict == Mixed && !w.Regression() }, Slower, 48, 90},
		{"the mean is 2 % more, batches vary by 10 % and not 2 %", calm, noisy.Side{}, noisy.Side{Op: 1.0152, Unlike: .1},
			func(w Weighed) bool { return w.Verdict == Mixed && w.Regression() || w.Verdict == Slower }, Faster, 48, 50},
		{"5 % in 5 % of batches", busy, noisy.Side{}, noisy.Side{Rare: .05, RareBy: 2},
			func(w Weighed) bool { return w.Verdict == Slower }, Same, 48, 50},
		{"15 % of processes take 30 % longer", noisy.Machine{Scatter: .03, Turns: .003, Batches: noisy.Batches{Jitter: .01}}, noisy.Side{}, noisy.Side{Few: .15, FewBy: 1.3},
			func(w Weighed) bool { return w.Verdict == Slower }, Same, 192, 50},
	} {
		rng := rand.New(rand.NewPCG(6, 7))
		decided, wrong, misled := 0, 0, 0
		for range rounds {
			run := test.machine.Start(rng)
			var fast, all [2][]float64
			for range test.pairs {
				times := run.Round(100, test.good, test.bad)
				for i := range times {
					f, a := summaries(times[i])
					fast[i], all[i] = append(fast[i], f), append(all[i], a)
				}
			}
			ask := func(side [2][]float64, test Test) Comparison {
				return Rule{Alpha: powerAlpha, MinEffect: .01 * Summarize(side[0]).Mean, Test: test}.Compare(side[0], side[1])
			}
			// The mean over processes is a matter of means, not of ranks.
			w := Weigh(ask(fast, TestPairs).Ratio, ask(all, TestPaired).Ratio, .01)
			if test.right(w) {
				decided++
			} else if w.Verdict != Unknown {
				wrong++
			}
			if ask(fast, TestRank).Verdict == test.fast {
				misled++
			}
		}
		t.Logf("%s: right %d, wrong %d of %d; fast batches alone say %v to %d", test.name, decided, wrong, rounds, test.fast, misled)
		if wrong > 0 || decided < rounds*test.decides/100 {
			t.Errorf("%s: right %d, wrong %d of %d", test.name, decided, wrong, rounds)
		}
		if misled < rounds/4 {
			t.Errorf("%s: fast batches alone say %v to %d of %d: the simulation does not bite", test.name, test.fast, misled, rounds)
		}
	}
}
