package finder

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pinpoint-go/pinpoint/stats"
	"github.com/pinpoint-go/pinpoint/stats/noisy"
)

// spreads are by how much layouts differ in the programs that hunts are tried on, as
// a standard deviation of the logarithm of time.
var spreads = []float64{0, .01, .02}

// machines are those that hunts are tried on, in turn.
var machines = []noisy.Machine{noisy.Quiet, noisy.Drifting, noisy.Wild, noisy.Slow, noisy.Lagging, noisy.Shared, noisy.InTurns}

// kind is a kind of change between good and bad.
type kind struct {
	name  string
	fault func(s *subject, rng *rand.Rand)
}

var kinds = []kind{
	{"nothing slower", func(*subject, *rand.Rand) {}},
	{"one call, 2 %", oneCall(.02)},
	{"one call, 5 %", oneCall(.05)},
	{"one call, 30 %", oneCall(.3)},
	{"two calls, 6 and 4 %", func(s *subject, rng *rand.Rand) {
		a, b := somewhere(rng, deep), somewhere(rng, deep)
		for a[0] == b[0] {
			b = somewhere(rng, deep)
		}
		s.faults = []fault{{a, a, .06}, {b, b, .04}}
	}},
	{"own code, 5 %", func(s *subject, rng *rand.Rand) {
		p := somewhere(rng, deep-1)
		s.faults = []fault{{p, p, .05}}
	}},
	{"all over, 5 %", func(s *subject, rng *rand.Rand) { s.spread = .05 }},
}

func oneCall(amount float64) func(*subject, *rand.Rand) {
	return func(s *subject, rng *rand.Rand) {
		p := somewhere(rng, deep)
		s.faults = []fault{{p, p, amount}}
	}
}

func somewhere(rng *rand.Rand, layers int) (p place) {
	for range layers {
		p = p.call(rng.IntN(width))
	}
	return p
}

// decoys is how many functions differ at most that make nothing slower. Of the 24
// regressions that the design was tried on, one in nine that differ did.
const decoys = 5

// newHunt makes up a program, a machine and what lies between the revisions.
func newHunt(k kind, seed uint64, bench *columnPair) *simulated {
	rng := rand.New(rand.NewPCG(seed, 42))
	h := &simulated{
		subject: subject{parts: make(map[place][]float64), rng: rng},
		run:     machines[seed%uint64(len(machines))].Start(rng),
		ledger:  stats.Ledger{Alpha: alpha},
		bench:   bench,
		layout:  newLayout(spreads[seed/uint64(len(machines))%uint64(len(spreads))], seed),
	}
	k.fault(&h.subject, rng)
	for _, f := range h.faults {
		if !slices.Contains(h.differ, f.cause) {
			h.differ = append(h.differ, f.cause)
		}
	}
	for range rng.IntN(decoys + 1) {
		if p := somewhere(rng, deep); !slices.Contains(h.differ, p) {
			h.differ = append(h.differ, p)
		}
	}
	rng.Shuffle(len(h.differ), func(i, j int) { h.differ[i], h.differ[j] = h.differ[j], h.differ[i] })
	return h
}

// truth is the share of the whole difference that what is named caused, and
// whether it is no more than one function's own code.
func (h *simulated) truth(n name) (share float64, exact bool) {
	total := h.spread
	scope := func(f fault) bool { return f.cause == n.function } // what is put back, and own code
	time := h.ownTime(n.function)
	exact = true
	switch p := n.part; {
	case n.share == 0 || p.Layer.Name == "" || p.Own:
	case p.Region.Len() > 0:
		exact = false
		in := func(q place) bool {
			l := placeOf(p.Layer)
			return l.over(q) && len(q) > len(l) && p.Region.From <= int(q[len(l)]-'a') && int(q[len(l)]-'a') < p.Region.To
		}
		scope = func(f fault) bool { return in(f.cause) || p.Whole && f.cause == placeOf(p.Layer) }
		time = 0
		for i := p.Region.From; i < p.Region.To; i++ {
			time += h.good(placeOf(p.Layer).call(i))
		}
	}
	caused := h.spread * time
	for _, f := range h.faults {
		total += f.amount
		if scope(f) {
			caused += f.amount
		}
	}
	if total == 0 {
		return 0, exact
	}
	return caused / total, exact
}

func (h *simulated) ownTime(p place) float64 {
	if len(p) < deep {
		return h.good(p) * h.split(p)[width]
	}
	return h.good(p)
}

// tally is what became of many hunts of one kind.
type tally struct {
	hunts, wrong, right, larger, none int
	misjudged                         int // nothing is slower, and the verdict on the whole is another
	pairs                             int
	examples                          []string
}

func (t *tally) add(o tally) {
	t.hunts += o.hunts
	t.wrong += o.wrong
	t.right += o.right
	t.larger += o.larger
	t.none += o.none
	t.misjudged += o.misjudged
	t.pairs += o.pairs
	t.examples = append(t.examples, o.examples...)
}

// judge does one hunt and judges its outcome. A name is wrong if what it names
// caused less than half of what it is said to have.
func (t *tally) judge(k kind, seed uint64, h *simulated) error {
	verdict := h.compareWhole()
	if verdict == stats.Slower {
		if err := h.search(); err != nil {
			return err
		}
	}
	t.hunts++
	t.pairs += h.pairs
	if len(h.faults) == 0 && h.spread == 0 && (verdict == stats.Slower || verdict == stats.Faster) {
		t.misjudged++
	}
	wrong, right, larger := false, false, false
	for _, n := range h.named {
		if !n.confirmed {
			continue
		}
		share, exact := h.truth(n)
		switch {
		case share < min(1, n.share)/2 || share == 0:
			wrong = true
			if len(t.examples) < 3 {
				t.examples = append(t.examples, fmt.Sprintf("%s, hunt %d: %q is said to have %.2f and has %.2f (%+v, faults %v)", k.name, seed, n.function, n.share, share, n.part.Region, h.faults))
			}
		case exact || h.spread > 0:
			right = true
		default:
			larger = true
		}
	}
	switch {
	case wrong:
		t.wrong++
	case right:
		t.right++
	case larger:
		t.larger++
	default:
		t.none++
	}
	return nil
}

func simulateHunts(t *testing.T, k kind, hunts int) tally {
	var sum tally
	var mu sync.Mutex
	var work sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		work.Go(func() {
			var mine tally
			var bench columnPair // used again by every hunt
			for seed := w; seed < hunts; seed += workers {
				if err := mine.judge(k, uint64(seed), newHunt(k, uint64(seed), &bench)); err != nil {
					t.Error(err)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			sum.add(mine)
		})
	}
	work.Wait()
	return sum
}

// TestSimulatedHunts hunts 10,000 times for each kind of change, on machines that
// drift, have heavy tails and slow states, with a bound of 1 %. Two in three programs
// are faster or slower by where their functions lie. The chance of a wrong name must
// lie below the bound with all of its interval: of 10,000 hunts 80 may be wrong, and of
// the 1,500 that run where PINPOINT_THOROUGH is not set, 7.
func TestSimulatedHunts(t *testing.T) {
	hunts := howMany(400)
	var table strings.Builder
	fmt.Fprintf(&table, "%-22s %6s %6s %-15s %6s %7s %8s %6s", "", "hunts", "wrong", "95 % interval", "right", "larger", "none", "pairs")
	for _, k := range kinds {
		sum := simulateHunts(t, k, hunts)
		low, high := clopperPearson(sum.wrong, sum.hunts)
		n := float64(sum.hunts)
		fmt.Fprintf(&table, "\n%-22s %6d %6d %5.2f to %4.2f %%  %5.1f%% %6.1f%% %7.1f%% %6.0f", k.name, sum.hunts, sum.wrong,
			100*low, 100*high, 100*float64(sum.right)/n, 100*float64(sum.larger)/n, 100*float64(sum.none)/n, float64(sum.pairs)/n)
		for _, e := range sum.examples[:min(3, len(sum.examples))] {
			t.Log(e)
		}
		if high > alpha && (!testing.Short() || low > alpha) {
			t.Errorf("%s: %d of %d hunts named a wrong one, which may be %.2f %%", k.name, sum.wrong, sum.hunts, 100*high)
		}
		if _, high := clopperPearson(sum.misjudged, sum.hunts); high > alpha && !testing.Short() {
			t.Errorf("%s: %d of %d verdicts on the whole wrong", k.name, sum.misjudged, sum.hunts)
		}
	}
	t.Log("\n" + table.String())
}

// howMany is how many hunts of each kind are simulated, and how many with -short.
func howMany(short int) int {
	switch {
	case testing.Short():
		return short
	case os.Getenv("PINPOINT_THOROUGH") != "":
		return 10_000
	}
	return 1_500
}

// What turns are for: in turns, a call that makes the whole 2 % slower is found, and on
// the same machine without them it hardly ever is.
func TestTurnsFindSmallDifferences(t *testing.T) {
	small := kinds[1]
	right := func(m noisy.Machine) (share float64) {
		var sum tally
		var bench columnPair
		for seed := range uint64(200) {
			h := newHunt(small, seed, &bench)
			h.run = m.Start(rand.New(rand.NewPCG(seed, 7)))
			h.layout = layout{} // which turns don't help against
			if err := sum.judge(small, seed, h); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%d right, %d wrong, %d none of %d, %d pairs each", sum.right, sum.wrong, sum.none, sum.hunts, sum.pairs/sum.hunts)
		if sum.wrong > 2 {
			t.Errorf("%d of %d named a wrong one", sum.wrong, sum.hunts)
		}
		return float64(sum.right) / float64(sum.hunts)
	}
	if in, apart := right(noisy.InTurns), right(noisy.Shared); in < 0.9 || apart > 0.5 {
		t.Errorf("right in turns %.2f, without %.2f", in, apart)
	}
}

// What no number of pairs can see: each binary has one layout, and where functions
// happen to lie moves the whole by a percent or two and its parts by as much. Twins then
// differ in truth, by nobody's code. A hunt that looks at no other orders of functions
// accuses somebody of it, which says that the simulation of layouts bites.
func TestOneLayoutIsNoEvidence(t *testing.T) {
	var sum tally
	var bench columnPair
	for seed := range uint64(500) {
		h := newHunt(kinds[0], seed, &bench)
		h.layout, h.asLinked = newLayout(.02, seed), true
		if err := sum.judge(kinds[0], seed, h); err != nil {
			t.Fatal(err)
		}
	}
	low, high := clopperPearson(sum.wrong, sum.hunts)
	t.Logf("twins under layouts that differ by 2 %%, hunted as they are linked: %d of %d called different, %d named somebody (%.1f to %.1f %%)",
		sum.misjudged, sum.hunts, sum.wrong, 100*low, 100*high)
	if low < alpha {
		t.Errorf("%d of %d named somebody: the simulation of layouts does not bite", sum.wrong, sum.hunts)
	}
}

// clopperPearson is the exact interval of a probability at 95 %.
func clopperPearson(k, n int) (low, high float64) {
	low, high = 0, 1
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(.025)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(.975)
	}
	return low, high
}
