package doctor

import (
	"io"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Schema names the JSON layout of a Health.
const Schema = "pinpoint/doctor/v1"

// Health is what was found.
type Health struct {
	Schema     string        `json:"schema"`
	Host       harness.Facts `json:"host"`
	Toolchain  string        `json:"toolchain"`
	Settings   Settings      `json:"settings"`
	Lock       string        `json:"lock,omitempty"` // why other pinpoints are not seen; empty: they are
	Clock      Clock         `json:"clock"`
	Drift      float64       `json:"drift"`   // slowest by fastest loop in all this time, less 1
	Foreign    float64       `json:"foreign"` // CPU time of others, per CPU time of ours
	Stolen     float64       `json:"stolen"`  // CPU time of other guests, per CPU time of ours
	Waited     float64       `json:"waited"`  // time that our threads waited for a processor, per CPU time of theirs
	Benchmarks []Benchmark   `json:"benchmarks"`
	Advice     []string      `json:"advice"`
	Seconds    float64       `json:"seconds"` // of measuring
	Seed       uint64        `json:"seed"`
}

// Clock is that of the probes, in nanoseconds.
type Clock struct {
	Kind       string  `json:"kind"`
	Resolution float64 `json:"resolution"`
	Read       float64 `json:"read"`  // what one read costs
	Probe      float64 `json:"probe"` // what a probe that is on costs a call
}

// Benchmark is one reference benchmark against itself.
type Benchmark struct {
	Name      string          `json:"name"`
	Pairs     int             `json:"pairs"`
	Processes float64         `json:"processes"` // standard deviation of the processes' logarithms: of 0.05, most are within 10 %
	Ratios    float64         `json:"ratios"`    // spread of the logarithm of the ratio of a pair, wild ones left aside
	AA        report.Interval `json:"aa"`        // ratio of the one binary to itself, at 99.9 %
	Differs   bool            `json:"differs"`   // the interval leaves 1 out, by more than half a percent
	PerPair   float64         `json:"per_pair"`  // seconds, waits for other pinpoints among them
	Needs     []Need          `json:"needs"`
}

// Need is what it takes to find a slowdown.
type Need struct {
	Slowdown float64 `json:"slowdown"` // share: 0.05 for a benchmark that takes 1.05 times as long
	Pairs    int     `json:"pairs"`
	Seconds  float64 `json:"seconds"`
}

// slowdowns are those that a Health tells the pairs for.
var slowdowns = []float64{0.01, 0.02, 0.05, 0.30}

// diagnose makes numbers of what ran.
func diagnose(runs []run, took time.Duration) *Health {
	h := &Health{Schema: Schema, Seconds: took.Seconds(), Clock: clockOf(runs[0].clock)}
	var sum harness.Disturbance
	for i, r := range runs {
		h.Benchmarks = append(h.Benchmarks, r.benchmark(references[i].name))
		sum = sum.Plus(r.disturbed)
	}
	if cpu := float64(sum.CPU); cpu > 0 {
		h.Foreign, h.Stolen, h.Waited = float64(sum.Foreign)/cpu, float64(sum.Stolen)/cpu, float64(sum.Waited)/cpu
	}
	loop := slices.Concat(runs[0].good, runs[0].bad)
	h.Drift = slices.Max(loop)/slices.Min(loop) - 1
	return h
}

func (r *run) benchmark(name string) Benchmark {
	var logs []float64
	for _, x := range slices.Concat(r.good, r.bad) {
		logs = append(logs, math.Log(x))
	}
	b := Benchmark{
		Name: name, Pairs: len(r.ratios),
		Processes: stat.StdDev(logs, nil), Ratios: spread(r.ratios),
		PerPair: r.took.Seconds() / float64(len(r.ratios)),
	}
	// The error is in stats only for sides of different lengths and too few values.
	aa, _ := stats.PairedRatio(r.good, r.bad, 0.999)
	b.AA = report.Interval(aa)
	b.Differs = b.AA.Low > 1.005 || b.AA.High < 0.995
	for _, s := range slowdowns {
		n := pairsFor(s, b.Processes, b.Ratios)
		b.Needs = append(b.Needs, Need{Slowdown: s, Pairs: n, Seconds: float64(n) * b.PerPair})
	}
	return b
}

func clockOf(c instrument.Clock) Clock {
	return Clock{Kind: c.Kind, Resolution: c.Resolution, Read: c.ReadCost, Probe: c.PairCost + c.OutsideCost}
}

func logRatio(good, bad float64) float64 { return math.Log(bad / good) }

// spread is the standard deviation of what is not far out, as a normal
// distribution with these quartiles would have it: wild values hardly move the
// ranks that hunts decide by. Of few values it is the plain one.
func spread(xs []float64) float64 {
	const few = 8
	if len(xs) < few {
		return stat.StdDev(xs, nil)
	}
	sorted := slices.Sorted(slices.Values(xs))
	quartile := func(p float64) float64 { return stat.Quantile(p, stat.LinInterp, sorted, nil) }
	return (quartile(0.75) - quartile(0.25)) / (2 * distuv.UnitNormal.Quantile(0.75))
}

// What the rule of hunts takes at least: a first look, and for ranks to be as
// sure as a hunt must be.
const (
	firstLook = 6
	rankPairs = 15
)

// minEffect is what hunts take for no difference, unless they are told otherwise.
// Whoever looks for less has to tell them.
func minEffect(slowdown float64) float64 { return min(setup.DefaultMinEffect, slowdown/2) }

// pairsFor returns how many pairs tell a slowdown from one that does not count,
// four times in five, at the error that a hunt leaves for the comparison of the
// whole: by the means of processes or by the ranks of ratios, whichever is sooner. A
// slowdown is known by its ratio, so the spreads are those of logarithms.
func pairsFor(slowdown, processes, ratios float64) int {
	ledger := stats.Ledger{Alpha: setup.DefaultAlpha}
	alpha := ledger.Open(stats.Whole, len(stats.Looks(firstLook, 384)), 2) / 2
	z := -distuv.UnitNormal.Quantile(alpha / 2)
	luck := -distuv.UnitNormal.Quantile(0.2)
	margin := math.Log(1+slowdown) - math.Log(1+minEffect(slowdown))
	// The second term makes up for a spread that is estimated itself.
	by := func(variance, sides float64) float64 {
		return (z+luck)*(z+luck)*variance/(margin*margin) + (z*z+1)/(2*sides)
	}
	means := max(firstLook, by(2*processes*processes, 2))
	const efficiency = 3 / math.Pi // of ranks, where means would do
	ranks := max(rankPairs, by(ratios*ratios/efficiency, 1))
	return int(math.Ceil(min(means, ranks)))
}

// Resolves is the smallest slowdown that every reference benchmark shows within
// the time, 0 if none does.
func (h *Health) Resolves(within time.Duration) float64 {
	for i, s := range slowdowns {
		if !slices.ContainsFunc(h.Benchmarks, func(b Benchmark) bool { return b.Needs[i].Seconds > within.Seconds() }) {
			return s
		}
	}
	return 0
}

// Differs names the benchmarks that differ from themselves.
func (h *Health) Differs() []string {
	var names []string
	for _, b := range h.Benchmarks {
		if b.Differs {
			names = append(names, b.Name)
		}
	}
	return names
}

// WriteJSON writes the health as indented JSON with a final newline.
func (h *Health) WriteJSON(w io.Writer) error { return output.JSON(w, h) }
