package doctor

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// Options says how thoroughly to look. The zero value of a field is its default.
type Options struct {
	Dir      string        // where the go command is asked which toolchain to use; default "."
	CacheDir string        // of a private copy of that toolchain, where one is needed
	Time     time.Duration // for the pairs; default 45 seconds. Three of each benchmark run in any case.
	Timeout  time.Duration // of one process; default a minute
	Seed     uint64        // of the order of pairs; 0: chosen
	Progress func(phase string, done, total int)
}

// DefaultTime leaves a quarter of a minute for the build and the calibration.
const DefaultTime = 45 * time.Second

func (o *Options) setDefaults() {
	if o.Dir == "" {
		o.Dir = "."
	}
	if o.Time == 0 {
		o.Time = DefaultTime
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	if o.Seed == 0 {
		o.Seed = 1 + rand.Uint64N(1_000_000)
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
}

// minRounds is what a spread is made of at least.
const minRounds = 3

// Examine measures the host. The error is that of building or running the
// reference benchmarks, or of ctx.
func Examine(ctx context.Context, opts Options) (*Health, error) {
	opts.setDefaults()
	waited := false
	ctx = harness.OnWait(ctx, func() {
		if !waited {
			opts.Progress("waiting for another pinpoint", 0, 0)
		}
		waited = true
	})
	temp, err := harness.NewTempDir()
	if err != nil {
		return nil, err
	}
	defer temp.Remove()
	opts.Progress("building the reference benchmarks", 0, 0)
	bin, g, err := build(ctx, opts, temp.Path)
	if err != nil {
		return nil, err
	}
	all, err := campaigns(ctx, opts, bin)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	runs, err := rounds(ctx, opts, all)
	if err != nil {
		return nil, err
	}
	h := diagnose(runs, time.Since(start))
	h.Host, h.Toolchain, h.Seed = harness.Host(), g.Version, opts.Seed
	h.Settings = readSettings()
	if err := harness.HostLock(); err != nil {
		h.Lock = err.Error()
	}
	h.Advice = h.advise()
	return h, nil
}

// rounds runs a pair of each campaign in turn, so that all meet the same host,
// until the time is over. The result is by campaign.
func rounds(ctx context.Context, opts Options, all []*harness.Campaign) ([]run, error) {
	runs := make([]run, len(all))
	start := time.Now()
	for n := 0; n < minRounds || time.Since(start) < opts.Time; n++ {
		opts.Progress("holding the reference benchmarks against themselves", int(time.Since(start).Seconds()), int(opts.Time.Seconds()))
		for i, c := range all {
			begin := time.Now()
			pairs, err := c.Pairs(ctx, 1, nil, nil)
			if err != nil {
				return nil, err
			}
			runs[i].add(pairs[0], time.Since(begin))
		}
	}
	return runs, nil
}

// A run is what one reference benchmark did, pair by pair.
type run struct {
	good, bad []float64 // ns per operation
	ratios    []float64 // logarithms
	disturbed harness.Disturbance
	clock     instrument.Clock
	took      time.Duration
}

func (r *run) add(p harness.Pair, took time.Duration) {
	good, bad := p.Match(p.Good.Sample().Whole, p.Bad.Sample().Whole, nil)
	r.good, r.bad = append(r.good, good), append(r.bad, bad)
	r.ratios = append(r.ratios, logRatio(good, bad))
	r.disturbed = r.disturbed.Plus(p.Disturbed)
	r.clock = p.Good.Clock
	r.took += took
}
