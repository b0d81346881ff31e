package measure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
)

// Run measures all scenarios. On an error what was measured before it is
// returned beside it; the result is nil only when nothing was.
func Run(ctx context.Context, opts Options) (*Result, error) {
	opts.setDefaults()
	c := &campaign{
		opts: opts, rand: rand.New(rand.NewPCG(opts.Seed, 1)),
		runs: merge(opts.Measurers), result: &Result{Seed: opts.Seed, By: opts.By},
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := c.open(ctx); err != nil {
		return nil, err
	}
	defer c.set.Close()
	if err := c.prepare(ctx); err != nil {
		return nil, err
	}
	err := c.measure(ctx)
	for _, wrote := range c.set.Writes() {
		c.result.warn("%s", wrote)
	}
	if len(c.result.Processes) == 0 {
		return nil, err
	}
	return c.result, err
}

// check finds what can't be measured before anything is built.
func (c *campaign) check() error {
	if len(c.runs) == 0 {
		return errors.New("no measurer is given")
	}
	if err := c.checkLengths(); err != nil {
		return err
	}
	if c.opts.Workload.Kind == harness.Bench {
		return nil
	}
	if c.opts.Local {
		return fmt.Errorf("a %s has one value a process: it can't be measured in one process", c.opts.Workload.Kind)
	}
	for _, m := range c.opts.Measurers {
		if !m.run.anyKind {
			return fmt.Errorf("%s measures the operations of a benchmark, and this is a %s", m.Name, c.opts.Workload.Kind)
		}
	}
	return nil
}

// prepare finds the benchmarks and lists the scenarios.
func (c *campaign) prepare(ctx context.Context) error {
	c.configure()
	for _, rev := range c.revs {
		if err := c.list(ctx, rev); err != nil {
			return err
		}
	}
	if err := c.checkScenarios(); err != nil {
		return err
	}
	return c.result.checkBy()
}

// list finds the scenarios of a revision. Which benchmarks there are may depend on
// the settings.
func (c *campaign) list(ctx context.Context, rev *version) error {
	for _, s := range settings(c.opts.Params) {
		names, err := c.benchmarks(ctx, rev, s)
		if err != nil {
			return err
		}
		for _, name := range names {
			for _, cpus := range c.opts.CPUs {
				c.add(rev, name, names, s, cpus)
			}
		}
	}
	return nil
}

// add takes up one of the benchmarks that a revision has.
func (c *campaign) add(rev *version, bench string, all []string, s []Setting, cpus int) {
	w := c.opts.Workload
	w.CPUs = cpus
	if cpus == 0 {
		cpus = harness.Host().Cores
	}
	sc := Scenario{Rev: rev.Tree.Revision, Bench: bench, Settings: s, CPUs: cpus}
	w.Set = append(slices.Clone(w.Set), sc.environment()...)
	if w.Kind == harness.Bench {
		w.Pattern = harness.PatternOf(bench, all)
	}
	c.cells = append(c.cells, &cell{Scenario: sc, rev: rev, workload: w, index: len(c.cells)})
	c.result.Scenarios = append(c.result.Scenarios, sc)
}

// checkScenarios warns of benchmarks that not all revisions have.
func (c *campaign) checkScenarios() error {
	if len(c.cells) == 0 {
		return &NoneError{"benchmark", c.opts.Package, c.opts.Workload.Pattern}
	}
	have := map[string]int{}
	for _, cell := range c.cells {
		have[cell.Name()]++
	}
	for _, cell := range c.cells {
		if have[cell.Name()] < len(c.revs) {
			c.result.warn("%s is not in all revisions", cell.Name())
			have[cell.Name()] = len(c.revs)
		}
	}
	return nil
}

// benchmarks are the names that the pattern matches; for tests and programs the
// one that they have in a file of results.
func (c *campaign) benchmarks(ctx context.Context, rev *version, s []Setting) ([]string, error) {
	bin, err := c.binary(ctx, rev, run{})
	if err != nil {
		return nil, err
	}
	c.result.setConfig("pkg", bin.Package)
	switch c.opts.Workload.Kind {
	case harness.Test:
		return []string{"BenchmarkTest/" + nameOf(c.opts.Workload.Pattern)}, nil
	case harness.Main:
		return []string{"BenchmarkMain/" + nameOf(bin.Package)}, nil
	}
	w := c.opts.Workload
	w.Set = append(slices.Clone(w.Set), Scenario{Settings: s}.environment()...)
	c.progress("listing the benchmarks of " + rev.Label)
	p, err := harness.Run(ctx, bin, w, harness.Order{N: 1, Batches: 1})
	var several *harness.ChoiceError
	var missing *harness.MissingError
	switch {
	case errors.As(err, &several):
		return several.Names, nil
	case errors.As(err, &missing):
		return nil, nil
	}
	return p.Benchmarks, err
}

// measure runs all kinds of runs, one after the other.
func (c *campaign) measure(ctx context.Context) error {
	for _, r := range c.runs {
		if r.calibrated() {
			if err := c.calibrate(ctx); err != nil {
				return err
			}
			break
		}
	}
	for _, r := range c.runs {
		if err := c.carryOut(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// calibrate finds how many iterations the processes of each scenario run. The
// revisions of a scenario get one count, where the clock can bridge them.
func (c *campaign) calibrate(ctx context.Context) error {
	groups := map[string][]*cell{}
	for _, cell := range c.cells {
		groups[cell.Name()] = append(groups[cell.Name()], cell)
	}
	for i, first := range c.cells {
		group := groups[first.Name()]
		if group[0] != first {
			continue
		}
		c.opts.Progress("calibrating", i, len(c.cells))
		if err := c.calibrateGroup(ctx, group); err != nil {
			return err
		}
	}
	return nil
}

func (c *campaign) calibrateGroup(ctx context.Context, group []*cell) error {
	if c.opts.Iterations > 0 && c.opts.Batches > 0 || c.opts.Workload.Kind != harness.Bench {
		for _, cell := range group {
			cell.n, cell.batches = max(c.opts.Iterations, 1), max(c.opts.Batches, 1)
		}
		return nil
	}
	var bins []harness.Binary
	for _, cell := range group {
		bin, err := c.binary(ctx, cell.rev, run{})
		if err != nil {
			return err
		}
		bins = append(bins, bin)
	}
	it, err := harness.CalibrateEach(ctx, bins, group[0].workload)
	if err != nil {
		return err
	}
	for _, note := range []string{it.Note, it.Doubts} {
		if note != "" {
			c.result.warn("%s: %s", group[0].Name(), note)
		}
	}
	for i, cell := range group {
		cell.n, cell.batches = it.N[i], it.Batches
		if c.opts.Iterations > 0 {
			cell.n = c.opts.Iterations
		}
		if c.opts.Batches > 0 {
			cell.batches = c.opts.Batches
		}
	}
	return nil
}

// carryOut runs the processes of one kind: in rounds, in each of which every
// scenario has one, in an order of its own.
func (c *campaign) carryOut(ctx context.Context, r run) error {
	for _, rev := range c.revs {
		if _, err := c.binary(ctx, rev, r); err != nil {
			return err
		}
	}
	rounds := r.processes(c.opts.Processes)
	if c.opts.Local {
		rounds = 1
	}
	phase := "measuring " + r.key
	for round := -r.discard; round < rounds; round++ {
		for k, i := range c.rand.Perm(len(c.cells)) {
			c.opts.Progress(phase, max(round, 0)*len(c.cells)+k, rounds*len(c.cells))
			if err := c.process(ctx, r, c.cells[i], round); err != nil {
				return err
			}
		}
	}
	if r.timing == nil || c.opts.Local {
		return nil
	}
	return c.follow(ctx, r, rounds)
}

// follow runs what more processes it takes, and looks at what they say of lengths.
func (c *campaign) follow(ctx context.Context, r run, rounds int) error {
	if c.opts.Deviation > 0 {
		for more := range c.opts.More {
			for k, cell := range c.restless(r) {
				c.opts.Progress("measuring "+r.key+" again", more*len(c.cells)+k, c.opts.More*len(c.cells))
				if err := c.process(ctx, r, cell, rounds+more); err != nil {
					return err
				}
			}
		}
		c.warnOfDeviation(r)
	}
	c.warnOfLengths(r)
	return nil
}

// process runs one process and keeps what it gives; a round below 0 is for
// nothing.
func (c *campaign) process(ctx context.Context, r run, cell *cell, round int) error {
	bin, err := c.binary(ctx, cell.rev, r)
	if err != nil {
		return err
	}
	length := c.length(r, round)
	read := reading{wanted: cell.batches, units: cell.rev.units[r.key], funcs: cell.rev.funcs[r.key]}
	read.process, err = harness.Run(ctx, bin, cell.workload, r.order(iterationsOf(cell.n, length), cell.batches, bin.Probes))
	if err != nil {
		return fmt.Errorf("%s of %s: %w", cell.Name(), cell.rev.Label, err)
	}
	if round < 0 {
		return nil
	}
	if r.timing != nil {
		c.result.Batches = append(c.result.Batches, Batches{cell.index, round, read.process.Batches})
	}
	if c.opts.Local && r.timing != nil {
		c.keepBatches(r, cell, read)
		return nil
	}
	values, notes := r.read(read)
	if r.reports {
		values = append(values, reported(r.timing.choose(read.process.Batches, read.wanted).kept)...)
	}
	c.result.Processes = append(c.result.Processes, Process{
		Scenario: cell.index, Kind: r.key, Number: round, N: iterations(read.process), Length: length, Values: values, Counted: r.counts,
	})
	c.result.note(cell.Scenario, notes)
	return nil
}

// keepBatches makes every batch that is kept a value of its own.
func (c *campaign) keepBatches(r run, cell *cell, read reading) {
	s := r.timing.choose(read.process.Batches, read.wanted)
	name, _ := r.read(read)
	for i, b := range s.kept {
		v := r.timing.value(series{kept: s.kept[i : i+1]})
		one := Process{Scenario: cell.index, Kind: r.key, Number: i, N: b.N, Values: []Value{{Measurer: name[0].Measurer, Unit: name[0].Unit, Value: v}}}
		if r.reports {
			one.Values = append(one.Values, reported(s.kept[i:i+1])...)
		}
		c.result.Processes = append(c.result.Processes, one)
	}
	c.result.note(cell.Scenario, s.notes)
}

// iterations is what a line of results says it is averaged over.
func iterations(p harness.Process) int64 {
	var n int64
	for _, b := range p.Batches {
		n += b.N
	}
	return max(n, 1)
}

// configure makes the configuration lines: on what and with what is measured.
func (c *campaign) configure() {
	facts := harness.Host()
	add := func(name, value string) {
		if value != "" {
			c.result.Config = append(c.result.Config, Setting{name, value})
		}
	}
	add("goos", facts.OS)
	add("goarch", facts.Arch)
	add("cpu", facts.CPU)
	add("cores", fmt.Sprint(facts.Cores))
	add("governor", facts.Governor)
	add("virtual", facts.Virtual)
	add("kernel", facts.Kernel)
	for _, rev := range c.revs {
		add("toolchain", rev.Go().Version)
	}
	add("host", HostID(facts))
	add("pinpoint", c.opts.Version)
	add("date", time.Now().UTC().Format(time.RFC3339))
	add("seed", fmt.Sprint(c.opts.Seed))
	if c.opts.Tags != "" {
		add("tags", c.opts.Tags)
	}
	if c.opts.PGO != "" {
		add("pgo", c.opts.PGO)
	}
}
