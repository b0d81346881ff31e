package suite

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/report"
)

const lessThanACycle = "slower by less than a cycle"

// scaled are the samples of a benchmark that takes so many times as long.
func (s samples) scaled(by float64) samples {
	for _, values := range [][]float64{s.good, s.bad, s.goodMean, s.badMean} {
		for i := range values {
			values[i] *= by
		}
	}
	return s
}

// TestOutcomes gives a job benchmarks whose samples are drawn, each decided as far
// as its pairs go, and reads what it says of them.
func TestOutcomes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	cases := []struct {
		name   string
		pairs  int
		ratio  float64
		noise  float64
		want   report.Outcome
		reason string
	}{
		{"much slower", 12, 2, 0.02, report.IsRegression, ""},
		{"slower", 24, 1.2, 0.01, report.IsRegression, ""},
		{"slower within the limit", 48, 1.03, 0.003, report.IsSlower, ""},
		{"equal", 48, 1, 0.02, report.IsUnharmed, ""},
		{"faster", 12, 0.5, 0.02, report.IsFaster, ""},
		{"too few", 6, 1, 0.05, report.IsUnknown, "within the budget"},
		{"too noisy", 192, 1.04, 0.3, report.IsUnknown, "too noisy"},
		{"at the limit", 24, 1.05, 0.01, report.IsUnknown, "slower, but"},
		{"not at all", 0, 1, 0, report.IsUnknown, "the budget ended"},
		{lessThanACycle, 24, 1.2, 0.01, report.IsSlower, "clock cycle"},
	}
	job := &run{
		opts:   Options{FailAbove: 0.05, Hunt: hunt.Options{Alpha: 0.01}},
		report: &report.Suite{},
	}
	for _, c := range cases {
		b := &bench{p: 1, samples: noisy(r, c.pairs, c.ratio, c.noise)}
		if c.name == lessThanACycle { // of a nanosecond
			b.samples = b.samples.scaled(1 / mean(b.samples.good))
		}
		for _, n := range looks {
			if n <= c.pairs {
				b.samples.looks = append(b.samples.looks, n)
				b.p = min(b.p, pvalue(b.samples.first(n), job.opts.FailAbove))
			}
		}
		job.benches = append(job.benches, b)
	}
	for i, c := range cases {
		b := job.benches[i]
		level := job.levelOfLook()
		if found := b.p <= job.threshold(); found {
			level = job.threshold() / float64(len(looks))
		}
		shown := reading{}
		if c.pairs > 0 {
			shown = job.shown(b, level, b.p <= job.threshold())
		}
		got := job.outcome(b, shown, b.p <= job.threshold())
		if got != c.want || !strings.Contains(b.Reason, c.reason) {
			t.Errorf("%s: %s (%s), want %s (%s); p %v, %+v", c.name, got, b.Reason, c.want, c.reason, b.p, shown.ratio)
		}
		if got == report.IsRegression && shown.ratio.Low <= 1.05 {
			t.Errorf("%s: the interval %+v reaches below the limit", c.name, shown.ratio)
		}
	}
}
