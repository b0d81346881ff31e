// Package setup is what every job over two revisions begins and ends with: its options,
// both revisions opened, the budget, the ledger of errors, the log, and the report that is
// headed by them. It promises that revisions that the caller opened are left open, and
// that what was made on the way is gone when the job is closed.
package setup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
	"github.com/pinpoint-go/pinpoint/stats"
	"github.com/pinpoint-go/pinpoint/trace"
)

// Job is one job under way.
type Job struct {
	sides.Pair
	Options Options
	Start   time.Time
	Temp    *harness.TempDir // of profiles and go.mod files
	Set     *revision.Set    // nil before Open
	Sampler *compare.Sampler
	Orders  *compare.Orders
	Log     *compare.Log
	Report  *report.Report
}

// New is a job of which nothing is opened. Its errors are those of options that can't be.
func New(opts Options) (*Job, error) {
	opts.SetDefaults()
	quantity, err := compare.QuantityOf(opts.Metric, opts.Workload.Kind)
	if err != nil {
		return nil, err
	}
	if quantity.Reported && (opts.Guided() || !slices.Contains([]string{"auto", "revert"}, opts.Finder)) {
		return nil, fmt.Errorf("--metric %s is what the benchmark reports of all its operations: leave out --func, --depth, --exclude and --finder, which open layers", opts.Metric)
	}
	if opts.CacheDir == "" {
		if opts.CacheDir, err = backup.CacheDir(); err != nil {
			return nil, err
		}
	}
	temp, err := harness.NewTempDir()
	if err != nil {
		return nil, err
	}
	j := &Job{
		Temp:    temp,
		Options: opts,
		Start:   time.Now(),
		Log:     &compare.Log{Follower: opts.Follower},
		Orders:  &compare.Orders{Rand: stream(opts.Seed, linking)},
	}
	j.Sampler = &compare.Sampler{
		Workload: opts.Workload,
		Quantity: quantity,
		Asked:    compare.Asked{Alpha: opts.Alpha, MinEffect: opts.MinEffect, Test: opts.Test},
		ByMean:   quantity.ByMean(),
		Duet:     opts.Duet,
		Budget:   &compare.Budget{Limit: opts.Budget, Start: j.Start},
		Ledger:   &stats.Ledger{Alpha: opts.Alpha},
		Log:      j.Log,
		Rand:     stream(opts.Seed, shuffling),
	}
	j.Report = &report.Report{
		Search: report.Search{Alpha: opts.Alpha, MinEffect: opts.MinEffect, Seed: opts.Seed},
		Workload: report.Workload{
			Kind:    kinds[opts.Workload.Kind],
			Pattern: opts.Workload.Pattern,
			Args:    opts.Workload.Args,
			Driver:  opts.Driver,
			Metric:  opts.Metric,
		},
		Provenance: report.Provenance{Pinpoint: opts.Version, Date: j.Start.UTC().Format(time.RFC3339)},
	}
	return j, nil
}

// kinds are the names that reports have for what is run.
var kinds = map[harness.Kind]string{harness.Bench: "bench", harness.Test: "test", harness.Main: "main"}

// Open opens both revisions, if the caller has not, and tells what they are.
func (j *Job) Open(ctx context.Context) (err error) {
	j.Log.Trace = trace.From(ctx)
	j.Set = j.Options.Opened
	if j.Set == nil {
		j.Log.Phase("taking private copies of both revisions")
		names := change.Pair[string]{Good: j.Options.Good, Bad: j.Options.Bad}
		spec := j.Options.spec(j.Sampler.Quantity)
		if s := j.Options.Server; s != nil {
			if spec.Brought, err = s.Files(); err != nil {
				return err
			}
		}
		spec.Fetching = func(toolchain string) { j.Log.Phase("fetching the toolchain " + toolchain) }
		if j.Set, err = revision.OpenPair(ctx, spec, names); err != nil {
			return err
		}
	}
	p := j.Set.Pair()
	served := j.Options.Server != nil
	j.Good, j.Bad = &sides.Side{Revision: p.Good, Serves: served}, &sides.Side{Revision: p.Bad, Which: change.Bad, Serves: served}
	if s := j.Options.Server; served {
		j.Report.Workload.Kind, j.Report.Workload.Args = "serve", s.Args
		j.Report.Workload.Server = &report.Server{Ready: s.Ready, Requests: len(s.Requests), Load: s.Load}
	}
	j.Report.Good = report.Revision{Rev: j.Options.Good, Commit: p.Good.Commit, Toolchain: p.Good.Go().Version}
	j.Report.Bad = report.Revision{Rev: j.Options.Bad, Commit: p.Bad.Commit, Toolchain: p.Bad.Go().Version}
	j.Report.Workload.Carried, j.Report.Workload.CarriedFiles = j.Set.Carried()
	return nil
}

// Close removes what the hunt made. The private trees stay for the next one.
func (j *Job) Close() {
	j.Temp.Remove()
	if j.Set != nil && j.Options.Opened == nil {
		j.Set.Close()
	}
}

// WarnOfWrites tells of a workload that writes into its own tree.
func (j *Job) WarnOfWrites() {
	for _, text := range j.Set.Writes() {
		j.Log.Warn("%s", text)
	}
}

// The purposes of random numbers. Each has its own, so that asking for more of one
// changes none of another.
const (
	shuffling = iota // the order of pairs
	linking          // the order of functions
)

func stream(seed, purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, purpose)) }
