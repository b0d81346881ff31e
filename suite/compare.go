package suite

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/fleet/schedule"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
)

// build builds both test binaries of the package and finds the benchmarks in them.
func (r *run) build(ctx context.Context, p *pkg) (err error) {
	if len(p.functions) == 0 {
		return nil
	}
	if r.left() <= 0 {
		for _, f := range p.functions {
			p.giveUp(r, f)
		}
		return nil
	}
	if p.set == nil {
		if err = r.openPackage(ctx, p); err != nil {
			return err
		}
	}
	r.progress("building %s", p.path)
	bins, errs := p.set.BuildEach(ctx, revision.Build{})
	if err := ctx.Err(); err != nil {
		return err
	}
	r.report.Cost.Builds += 2
	if errs.Good != nil || errs.Bad != nil {
		for _, f := range p.functions {
			p.fail(r, f, errs.Good, errs.Bad)
		}
		return nil
	}
	p.inOrders = change.Zip(p.set.Pair(), bins, linker)
	for _, f := range p.functions {
		if err := r.addBenches(ctx, p, f, bins.Good, bins.Bad); err != nil {
			return err
		}
	}
	return nil
}

// fail takes a benchmark function up that can't be compared, for the head's error
// if it has one.
func (p *pkg) fail(r *run, f *function, errGood, errBad error) {
	outcome, reason := outcomeOf(errGood, errBad)
	p.rest = append(p.rest, p.benchmark(r, f, outcome, reason))
}

// giveUp takes a benchmark function up that there was no time for.
func (p *pkg) giveUp(r *run, f *function) {
	p.rest = append(p.rest, p.benchmark(r, f, report.IsUnknown, outOfTime))
}

func (p *pkg) benchmark(r *run, f *function, outcome report.Outcome, reason string) report.Benchmark {
	f.looked = true
	return report.Benchmark{
		Package: p.path, Dir: r.inRepository(p.dir), Name: f.name, Position: f.position, Selected: f.why,
		Outcome: outcome, Reason: reason,
	}
}

func outcomeOf(errGood, errBad error) (report.Outcome, string) {
	switch {
	case errors.Is(errBad, harness.ErrNothing), errBad == nil && errors.Is(errGood, harness.ErrNothing):
		return report.IsUnknown, cmp.Or(errBad, errGood).Error()
	case errors.Is(errBad, harness.ErrSkipped) || errBad == nil && errors.Is(errGood, harness.ErrSkipped):
		return report.IsSkipped, "it skips itself"
	case errBad != nil:
		return report.IsFailed, errBad.Error()
	}
	return report.IsBaseFailed, errGood.Error()
}

// addBenches takes up the benchmarks of a function, after running it once on each side
// if it is not known which sub-benchmarks it has there.
func (r *run) addBenches(ctx context.Context, p *pkg, f *function, good, bad harness.Binary) error {
	if r.left() <= 0 {
		p.giveUp(r, f)
		return nil
	}
	if f.leaves.Bad == nil {
		r.progress("looking into %s.%s", p.path, f.name)
		w := r.workloadOf(f.name)
		inBad, errBad := leaves(ctx, bad, w)
		inGood, errGood := leaves(ctx, good, w)
		if err := ctx.Err(); err != nil {
			return err
		}
		r.report.Cost.Processes += 2
		if errGood != nil || errBad != nil {
			p.fail(r, f, errGood, errBad)
			return nil
		}
		f.leaves.Good, f.leaves.Bad = inGood, inBad
		r.listLeaves(p, f)
	}
	for _, name := range f.chosen() {
		if r.opts.Bench.Matches(name) {
			r.benches = append(r.benches, r.newBench(p, f, name, good, bad))
		}
	}
	return nil
}

func (r *run) newBench(p *pkg, f *function, name string, good, bad harness.Binary) *bench {
	b := &bench{Benchmark: p.benchmark(r, f, "", ""), pkg: p, workload: r.opts.Hunt.Workload, p: 1, changed: f.runs}
	b.Name = name
	b.workload.Kind, b.workload.Pattern = harness.Bench, f.pattern(name)
	b.campaign = &harness.Campaign{
		Binaries: []harness.Binary{good, bad}, Workload: b.workload,
		Rand: rand.New(rand.NewPCG(r.rand.Uint64(), 0)),
	}
	return b
}

// comparing is the share of the budget after which comparing leaves the rest to
// the hunts. What these leave goes to what is undecided still.
const comparing = 0.6

// compareAndHunt goes on until everything is decided and hunted, or time is up.
func (r *run) compareAndHunt(ctx context.Context) error {
	share := comparing
	for {
		until := r.start.Add(time.Duration(share * float64(r.opts.Hunt.Budget)))
		if err := r.rounds(ctx, until); err != nil {
			return err
		}
		hunted, err := r.huntAll(ctx)
		if err != nil {
			return err
		}
		if !hunted && share == 1 || len(r.undecided()) == 0 {
			return nil
		}
		share = 1
	}
}

// rounds takes undecided benchmarks to their next looks until there is none that fits, one
// at a time or, on a fleet, some beside each other. Those come first that
// [schedule.Before] says, of equal ones in an order that is drawn: there may not be time
// for all (see [bench.worth]).
func (r *run) rounds(ctx context.Context, until time.Time) error {
	drawn := r.rand.Perm(len(r.benches))
	group, looking := errgroup.WithContext(ctx)
	ended := make(chan *bench, len(r.benches))
	for under := 0; ; under-- {
		for places := harness.Places(ctx); under < schedule.Beside(places, looks[0]) && looking.Err() == nil; under++ {
			b, open := r.next(drawn, time.Until(until), places)
			if b == nil {
				break
			}
			n := b.nextLook()
			r.progress("comparing %s (one of %d undecided)", b.Name, open)
			group.Go(func() error {
				defer func() { ended <- b }()
				return r.look(harness.Ranked(looking, b.cost(n).Seconds()), b, n, until)
			})
		}
		if under == 0 {
			return group.Wait()
		}
		b := <-ended
		r.deciding.Lock()
		b.under = false
		r.deciding.Unlock()
	}
}

// next is the benchmark to be looked at next, nil if there is none for which there is time;
// from then on a look at it is under way. Open is how many are undecided.
func (r *run) next(drawn []int, left time.Duration, places int) (next *bench, open int) {
	r.deciding.Lock()
	defer r.deciding.Unlock()
	todo := r.undecided()
	short := scarce(todo, left, places)
	accuses := r.levelOfNext()
	of := func(b *bench) schedule.Look {
		taken := len(b.samples.looks)
		l := schedule.Look{Taken: taken, First: b.changed, Left: b.perPair.Seconds() * float64(len(looks)-taken)}
		if short {
			l.Worth = b.worth(left, r.opts.FailAbove, r.levelOfLook(), accuses)
		}
		return l
	}
	var best schedule.Look
	for _, i := range drawn {
		b := r.benches[i]
		if b.under || !slices.Contains(todo, b) || b.cost(b.nextLook()) > left {
			continue
		}
		if l := of(b); next == nil || schedule.Before(l, best, places) < 0 {
			next, best = b, l
		}
	}
	if next != nil {
		next.under = true
	}
	return next, len(todo)
}

// undecided lists the benchmarks that more pairs could still decide.
func (r *run) undecided() []*bench {
	level := r.threshold()
	var list []*bench
	for _, b := range r.benches {
		if !b.stopped && !b.clear && !(b.p <= level) && b.nextLook() > 0 {
			list = append(list, b)
		}
	}
	return list
}

// look brings a benchmark to n pairs and decides anew, unless calibrating shows that there
// is no time for these: then it stays as it is, with what they cost. A failure of the
// benchmark's is its outcome; the error is one that ends the job.
func (r *run) look(ctx context.Context, b *bench, n int, until time.Time) error {
	pairs, err := r.sample(ctx, b, n, until)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, harness.ErrElsewhere) {
		return err
	}
	r.deciding.Lock()
	defer r.deciding.Unlock()
	switch {
	case err != nil:
		b.stopped = true
		b.Outcome, b.Reason = failedSide(err)
		return nil
	case len(pairs) == 0:
		return nil
	}
	for _, p := range pairs {
		s := &b.samples
		s.good, s.bad = append(s.good, p.Good.Sample().Whole), append(s.bad, p.Bad.Sample().Whole)
		s.goodMean, s.badMean = append(s.goodMean, p.Good.Mean().Whole), append(s.badMean, p.Bad.Mean().Whole)
		s.goodFirst, s.layouts = append(s.goodFirst, p.GoodFirst), append(s.layouts, p.Layout)
		s.machines = append(s.machines, p.Machine)
	}
	r.judge(b)
	return nil
}

// judge decides anew of the samples of a benchmark.
func (r *run) judge(b *bench) {
	b.samples.looks = append(b.samples.looks, len(b.samples.good))
	b.p = min(b.p, pvalue(b.samples, r.opts.FailAbove))
	b.said = read(b.samples, r.opts.FailAbove, r.levelOfLook())
	b.clear = b.said.clear
}

// sample runs the pairs up to a look, after calibrating if they are the first; none where
// that shows that they would not be over in time.
func (r *run) sample(ctx context.Context, b *bench, n int, until time.Time) ([]harness.Pair, error) {
	ctx = harness.Purpose(ctx, "comparing")
	if err := r.plan(ctx, b); err != nil || b.cost(n) > time.Until(until) {
		return nil, err
	}
	r.here.Lock()
	from, err := r.link(ctx, b, n)
	r.here.Unlock()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	b.campaign.Machines = mixed(harness.Kinds(ctx))
	pairs, err := b.campaign.Pairs(ctx, n-len(b.samples.good), nil, nil)
	took := time.Since(begin)
	for i, p := range pairs {
		pairs[i].Layout += from
		took += p.Replayed
	}
	r.deciding.Lock()
	b.perPair = took / time.Duration(max(1, len(pairs)))
	r.deciding.Unlock()
	r.here.Lock()
	defer r.here.Unlock()
	r.report.Cost.Processes += 2 * len(pairs)
	return pairs, err
}

// plan calibrates what was not, which says what its pairs will cost.
func (r *run) plan(ctx context.Context, b *bench) error {
	c := b.campaign
	if c.N != nil {
		return nil
	}
	plan, err := harness.Calibrate(ctx, c.Binaries[0], c.Binaries[1], b.workload)
	if err != nil {
		return err
	}
	r.here.Lock()
	defer r.here.Unlock()
	r.deciding.Lock()
	defer r.deciding.Unlock()
	b.planned(plan, harness.Places(ctx))
	if plan.Note != "" {
		r.warn("%s: %s", b.FullName(), plan.Note)
	}
	r.report.Cost.Processes += 2
	return nil
}

// planned has the benchmark run as planned, its pairs in so many places.
func (b *bench) planned(p harness.Plan, places int) {
	b.campaign.N, b.campaign.Batches = p.N(), p.Batches
	b.perPair = p.Pair() / time.Duration(places)
}

// failedSide makes an outcome of an error of one of the sides.
func failedSide(err error) (report.Outcome, string) {
	var failed *harness.WorkloadError
	if errors.As(err, &failed) && failed.Label == "good" {
		return outcomeOf(err, nil)
	}
	return outcomeOf(nil, err)
}
