package compare

import (
	"context"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Each kind of machines speaks for itself: what one shows alone is said to be its own, and
// the hunt goes where it is shown, by pairs that did not pick it out.
func TestHoldMachines(t *testing.T) {
	for _, test := range []struct {
		name         string
		first, other float64 // ratios on the two kinds
		again        float64 // on the other, when it is compared anew
		want         stats.Verdict
		on           string
		said         string
	}{
		{"on both", 2, 1.5, 0, stats.Slower, "", ""},
		{"on the first", 2, 1, 0, stats.Slower, "", "slower on one, 2 cores, linux/arm64, and not as far as seen on two, 2 cores, linux/arm64 (same)"},
		{"on the other", 1, 2, 2, stats.Slower, "b", "slower on two, 2 cores, linux/arm64, and not as far as seen on one, 2 cores, linux/arm64 (same)"},
		{"by chance on the other", 1, 2, 1, stats.Same, "b", ""},
		{"nowhere", 1, 1, 0, stats.Same, "", ""},
		{"faster on the other", 1, 0.5, 0, stats.Same, "", ""},
	} {
		verdict := stats.Same
		if test.first > 1 {
			verdict = stats.Slower
		}
		w := seen(verdict, test.first)
		seed := uint64(1)
		w.Sampler.Machine.Run = func(_ context.Context, c *harness.Campaign, n int, _ [][]int, _ func(int)) (rounds []harness.Round, err error) {
			ratio := test.other
			if len(c.Machines) != 1 || c.Machines[0] != "b" {
				t.Errorf("%s: pairs on %q", test.name, c.Machines)
			}
			if w.Sampler.On != "" { // anew
				ratio = test.again
			}
			for range n {
				seed++
				p := pairsOf(1, ratio, 0.002, seed)[0]
				rounds = append(rounds, harness.Round{Runs: []harness.Process{p.Good, p.Bad}, Order: []int{0, 1}, Layout: len(c.Layouts)})
			}
			return rounds, nil
		}
		kind := func(class, cpu string) harness.Machines {
			return harness.Machines{Class: class, Count: 1, Facts: harness.Facts{CPU: cpu, Cores: 2, OS: "linux", Arch: "arm64"}}
		}
		ctx := harness.OnFleet(t.Context(), harness.Elsewhere{Machines: func() []harness.Machines {
			return []harness.Machines{kind("a", "one"), kind("b", "two")}
		}})
		if err := w.HoldMachines(ctx, drawn()); err != nil {
			t.Fatal(err)
		}
		m := w.Machines()
		if said := m.Slower(); w.Comparison.Verdict != test.want || w.Sampler.On != test.on || !strings.HasPrefix(said, test.said) || test.said == "" && said != "" {
			t.Errorf("%s: %v on %q: %s", test.name, w.Comparison.Verdict, w.Sampler.On, said)
		}
		if len(m.Kinds) != 2 || m.Over == nil || m.Over.Low > m.Over.Mean {
			t.Errorf("%s: the kinds are %+v", test.name, m)
		}
	}
}
