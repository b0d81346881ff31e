package compare

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// What is typical of an operation and the mean of all decide together: what few batches
// pay is neither lost nor, where it is uncertain, taken for nothing.
func TestJudge(t *testing.T) {
	for _, test := range []struct {
		name string
		slow func(batch int) float64 // what a batch of bad takes more, as a share
		want stats.Verdict
	}{
		{"nothing", func(int) float64 { return 0 }, stats.Same},
		{"all batches", func(int) float64 { return 0.1 }, stats.Slower},
		{"all batches are faster", func(int) float64 { return -0.1 }, stats.Faster},
		{"one in ten pays for all", func(i int) float64 { return []float64{2, 0, 0, 0, 0, 0, 0, 0, 0, 0}[i%10] }, stats.Slower},
		{"each a little more, and none the large one", func(int) float64 { return 0.04 }, stats.Mixed},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		process := func(slow func(int) float64) (p harness.Process) {
			for i := range 60 {
				p.Batches = append(p.Batches, harness.Batch{N: 1, NS: 1000 * (1 + slow(i)) * (1 + 0.004*r.NormFloat64())})
			}
			return p
		}
		good := func(i int) float64 {
			if test.want == stats.Mixed && i%4 == 0 {
				return 1 // such as a collection
			}
			return 0
		}
		var pairs []harness.Pair
		for range 24 {
			pairs = append(pairs, harness.Pair{Good: process(good), Bad: process(test.slow), InTurns: true})
		}
		s := timed()
		s.Asked = Asked{Alpha: 0.01, MinEffect: 0.01, Test: stats.TestAuto}
		s.Budget = &Budget{Limit: time.Hour, Start: time.Now()}
		w := &Whole{Sampler: s}
		w.judge(pairs, pilot{}, 0.001)
		if w.Comparison.Verdict != test.want {
			t.Errorf("%s: %v (typical %v, mean %v), want %v", test.name, w.Comparison.Verdict, w.Typical.Ratio, w.Mean.Ratio, test.want)
		}
	}
}
