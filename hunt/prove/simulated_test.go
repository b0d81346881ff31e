package prove

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/stats"
	"github.com/pinpoint-go/pinpoint/stats/noisy"
)

// world is a program of which elements differ, on a machine that is only made up: its
// binaries are known by what is put back in them and by their link order.
type world struct {
	effect []float64     // of each element, as a share of good
	needs  map[int][]int // what comes along with an element
	broken map[int]bool  // does not run when it is put back
	layout float64       // standard deviation of what a link order makes
	noise  float64       // of a process
	host   *noisy.Run    // what it does to processes, each for itself; nil: nothing
	draw   *rand.Rand
	seed   uint64
	times  map[string]float64
}

// binary is a program by name: good, bad, or bad with elements back, in a link order.
func binary(what string, order uint64) harness.Binary {
	return harness.Binary{Path: fmt.Sprintf("%s@%d", what, order), Label: what}
}

func (w *world) entrant(what string) *compare.Entrant {
	return compare.NewEntrant(binary(what, 0), func(_ context.Context, order uint64) (harness.Binary, error) {
		return binary(what, order), nil
	})
}

// back is bad with a set of elements put back.
func back(set []int) string { return fmt.Sprint("back", set) }

// time is what an operation of a binary takes: where its functions lie is the same in all
// of its processes, and another thing for each binary.
func (w *world) time(b harness.Binary) float64 {
	if ns, known := w.times[b.Path]; known {
		return ns
	}
	ns, put := 1000.0, numbers(b.Label)
	for i, e := range w.effect {
		if b.Label != "good" && !slices.Contains(put, i) {
			ns += 1000 * e
		}
	}
	h := fnv.New64a()
	fmt.Fprint(h, w.seed, b.Path)
	lies := rand.New(rand.NewPCG(h.Sum64(), 1))
	ns *= math.Exp(w.layout * lies.NormFloat64())
	w.times[b.Path] = ns
	return ns
}

// numbers are those in a text.
func numbers(text string) (list []int) {
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) }) {
		n, _ := strconv.Atoi(field)
		list = append(list, n)
	}
	return list
}

// rounds are what processes of a campaign measure.
func (w *world) rounds(_ context.Context, c *harness.Campaign, n int, _ [][]int, _ func(int)) (list []harness.Round, err error) {
	for i := range n {
		binaries, layout := c.Binaries, 0
		if len(c.Layouts) > 0 {
			layout = i%len(c.Layouts) + 1
			binaries = c.Layouts[layout-1]
		}
		r := harness.Round{Layout: layout}
		phase := 1 + 0.2*w.draw.Float64() // of the machine, the same for all that take turns
		for side, b := range binaries {
			if len(w.broken) > 0 && slices.ContainsFunc(numbers(b.Label), func(i int) bool { return w.broken[i] }) {
				return list, &harness.WorkloadError{Label: "bad", Cause: fmt.Errorf("panic")}
			}
			var p harness.Process
			met := phase
			if w.host != nil {
				met = w.host.Process()
			}
			for range 8 {
				ns := w.time(b) * met * math.Exp(w.noise*w.draw.NormFloat64())
				p.Batches = append(p.Batches, harness.Batch{N: 1, NS: ns})
			}
			r.Runs, r.Order = append(r.Runs, p), append(r.Order, side)
		}
		list = append(list, r)
	}
	return list, nil
}

func (w *world) whole(t *testing.T) *compare.Whole {
	q, err := compare.QuantityOf("time", harness.Bench)
	if err != nil {
		t.Fatal(err)
	}
	s := compare.Sampler{
		Quantity: q,
		Workload: harness.Workload{CPUs: 2},
		Asked:    compare.Asked{Alpha: 0.01, MinEffect: 0.01, Test: stats.TestAuto},
		Budget:   &compare.Budget{Limit: time.Hour, Start: time.Now()},
		Ledger:   &stats.Ledger{Alpha: 0.01},
		Log:      &compare.Log{Follower: compare.Follower{Progress: func(string, int, int) {}}},
		Rand:     w.draw,
		Machine: compare.Machine{
			Run: w.rounds,
			Calibrate: func(context.Context, harness.Binary, harness.Binary, harness.Workload) (harness.Plan, error) {
				return harness.Plan{GoodN: 1, BadN: 1, Batches: 8}, nil
			},
		},
	}
	whole, err := s.Whole(t.Context(), w.entrant("good"), w.entrant("bad"), &compare.Orders{Rand: w.draw})
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

func (w *world) lab(whole *compare.Whole) *Lab {
	l := Lab{Whole: whole, Orders: &compare.Orders{Rand: w.draw}}
	for i := range w.effect {
		s := change.Suspect{Name: fmt.Sprint(i)}
		l.Elements = append(l.Elements, Element{Suspects: []change.Suspect{s}, Near: Timed})
	}
	l.Composer = Composer{
		Compose: func(_ []Element, set []int) (code Code, with []int, err error) {
			for todo := slices.Clone(set); len(todo) > 0; {
				i := todo[0]
				todo = todo[1:]
				if !slices.Contains(with, i) {
					code.Plan.Functions, with = append(code.Plan.Functions, fmt.Sprint(i)), append(with, i)
					todo = append(todo, w.needs[i]...)
				}
			}
			return code, with, nil
		},
		Build: func(_ context.Context, code Code) (*compare.Entrant, error) {
			var set []int
			for _, name := range code.Plan.Functions {
				set = append(set, numbers(name)...)
			}
			slices.Sort(set)
			return w.entrant(back(set)), nil
		},
	}
	return New(l)
}

// TestSimulatedHunts runs the whole and the search by halves, as hunts do, on made up
// programs. Wrong is who is named without making a difference, in any number of
// elements; and so is a verdict where nothing is slower.
func TestSimulatedHunts(t *testing.T) {
	runs := 10
	if os.Getenv("PINPOINT_THOROUGH") != "" {
		runs = 2500
	}
	for _, kind := range []struct {
		name   string
		n      int
		guilty map[int]float64
		needs  map[int][]int
		broken map[int]bool
		found  float64 // share of hunts that name one at least, at no layout noise
	}{
		{"nothing", 12, nil, nil, nil, 0},
		{"one of one", 1, map[int]float64{0: 0.5}, nil, nil, 0.95},
		{"one of twelve", 12, map[int]float64{7: 0.3}, nil, nil, 0.9},
		{"one of sixty", 60, map[int]float64{41: 1}, nil, nil, 0.9},
		{"two of twelve, 65 to 35", 12, map[int]float64{3: 0.26, 9: 0.14}, nil, nil, 0.9},
		{"one that drags two along", 12, map[int]float64{5: 0.5}, map[int][]int{5: {6, 7}}, nil, 0.9},
		{"others do not run", 12, map[int]float64{2: 0.5}, nil, map[int]bool{0: true, 11: true}, 0.5},
	} {
		for _, at := range []struct {
			layout float64
			host   *noisy.Machine
			name   string
		}{{0, nil, ""}, {0.02, nil, ""}, {0.05, nil, ""}, {0.1, nil, ""}, {0.02, &noisy.Slow, ", slow processes"}, {0.02, &noisy.Shared, ", shared"}} {
			t.Run(fmt.Sprintf("%s, layouts %v%s", kind.name, at.layout, at.name), func(t *testing.T) {
				layout := at.layout
				wrong, named, accused, tries := 0, 0, 0, 0
				for run := range runs {
					w := &world{
						effect: make([]float64, kind.n), needs: kind.needs, broken: kind.broken,
						layout: layout, noise: 0.03, seed: uint64(run), times: make(map[string]float64), draw: rand.New(rand.NewPCG(uint64(run), 7)),
					}
					for i, e := range kind.guilty {
						w.effect[i] = e
					}
					if at.host != nil {
						w.host = at.host.Start(w.draw)
					}
					whole := w.whole(t)
					if !whole.Regression() {
						continue
					}
					accused++
					found := w.lab(whole).Search(t.Context())
					tries += found.Tries
					if found.Err != nil {
						t.Fatal(found.Err)
					}
					innocent := false
					for _, f := range found.Culprits {
						if f.Blame == finder.OneOf || f.Blame == finder.Spread {
							continue // it says that it does not know which
						}
						named++
						innocent = innocent || !slices.ContainsFunc(f.Set(), func(i int) bool { return kind.guilty[i] > 0 })
					}
					if innocent || kind.guilty == nil {
						wrong++
					}
				}
				t.Logf("%-28s layouts %3.0f %%%s: %d of %d slower, %d named, %d wrong, %.1f tries", kind.name, 100*layout, at.name, accused, runs, named, wrong, float64(tries)/float64(max(1, accused)))
				// One in a hundred is what may be: three standard deviations more is chance.
				if most := 0.01*float64(runs) + 3*math.Sqrt(0.01*float64(runs)); float64(wrong) > most {
					t.Errorf("%s, layouts %v%s: %d of %d hunts wrong", kind.name, layout, at.name, wrong, runs)
				}
				if layout == 0 && at.host == nil && float64(named) < kind.found*float64(runs) {
					t.Errorf("%s: %d named in %d hunts", kind.name, named, runs)
				}
			})
		}
	}
}
