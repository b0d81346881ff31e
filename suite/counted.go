package suite

import (
	"context"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/ran"
	"github.com/pinpoint-go/pinpoint/report"
)

// idle is why a benchmark is not compared that was seen to run nothing that differs.
const idle = "runs no changed code"

// count runs each benchmark of the package once, with counters on what differs, and lists
// those that run none of it: whatever a comparison showed of them would be chance, or
// where the linker placed things. What can't be counted stays as it is.
func (r *run) count(ctx context.Context, p *pkg) error {
	switch {
	case len(p.functions) == 0 || r.left() <= 0:
		return nil
	case p.diff.all != "":
		p.alsoBecause(p.diff.all)
		return nil
	case len(p.diff.code) == 0:
		why := idle + ": nothing its test binary is made of changed"
		if binary := p.bad.deps[p.path+".test"]; binary != nil && slices.Contains(binary.Deps, "os/exec") {
			why += " (of programs that it starts nothing is known)"
		}
		p.leaveAll(r, why)
		return nil
	}
	for _, name := range p.diff.code {
		if why := uncounted(name); why != "" {
			p.alsoBecause(why)
			return nil
		}
	}
	if p.set == nil {
		if err := r.openPackage(ctx, p); err != nil {
			return err
		}
	}
	r.progress("building %s with counters on what differs", p.path)
	var counter *ran.Counter
	progs, err := p.set.LoadPair(ctx)
	if err == nil {
		counter = ran.New(p.set, change.Between(progs.Good, progs.Bad))
		err = counter.Build(ctx)
	}
	p.set.Unload()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return nil // the build of what is compared will say so, too, and in full
	case counter.Always != "":
		p.alsoBecause(counter.Always)
		return nil
	case counter.Nothing():
		p.leaveAll(r, idle)
		return nil
	}
	r.report.Cost.Builds += 2
	kept := p.functions[:0]
	for _, f := range p.functions {
		if err := r.countFunction(ctx, p, f, counter); err != nil {
			return err
		}
		if f.leaves.Bad == nil || len(f.chosen()) > 0 {
			kept = append(kept, f)
		}
	}
	p.functions = kept
	return nil
}

// uncounted says why a file or module that differs, by its name in a difference, is taken
// for one that runs.
func uncounted(name string) string {
	if strings.HasSuffix(name, ".go") {
		return ""
	}
	return name + " changed"
}

// alsoBecause adds to why the package's benchmarks are compared.
func (p *pkg) alsoBecause(why string) {
	for _, f := range p.functions {
		if f.why != why {
			f.why += "; " + why
		}
	}
}

// leaveAll lists all of the package's benchmarks as not compared.
func (p *pkg) leaveAll(r *run, why string) {
	for _, f := range p.functions {
		p.listOnly(f.name, f.position, report.IsUnchanged, why, r)
	}
	p.functions = nil
}

// countFunction finds out which of a function's benchmarks run what differs. All of them
// run in one process first; only if these do, each has one of its own, since what is made
// once may have been made by the first of them.
func (r *run) countFunction(ctx context.Context, p *pkg, f *function, counter *ran.Counter) error {
	if r.left() <= 0 {
		return nil
	}
	r.progress("counting what %s.%s runs", p.path, f.name)
	runs, errs := counter.Run(ctx, r.workloadOf(f.name))
	r.report.Cost.Processes += 2
	if err := ctx.Err(); err != nil {
		return err
	}
	if errs.Good != nil || errs.Bad != nil {
		return nil // and so it will be without counters
	}
	f.leaves = change.Map(runs, func(run ran.Run) []string { return run.Benchmarks })
	f.idle = make(map[string]bool)
	what := executed(runs)
	if what != "" {
		f.why = what
	}
	for _, x := range slices.Concat(runs.Good.Executed, runs.Bad.Executed) {
		if x.Timed > 0 {
			f.runs++
		}
	}
	for _, name := range f.leaves.Bad {
		switch {
		case what == "":
			f.idle[name] = true
		case len(f.leaves.Bad)+len(f.leaves.Good) > 2 && slices.Contains(f.leaves.Good, name) && r.opts.Bench.Matches(name) && r.left() > 0:
			w := r.workloadOf(f.name)
			w.Pattern = f.pattern(name)
			runs, errs := counter.Run(ctx, w)
			r.report.Cost.Processes += 2
			f.idle[name] = errs.Good == nil && errs.Bad == nil && executed(runs) == ""
		}
	}
	r.listLeaves(p, f)
	return ctx.Err()
}

// executed says what a workload ran that differs, "" for nothing.
func executed(runs change.Pair[ran.Run]) string {
	var names []string
	why := ""
	for _, run := range []ran.Run{runs.Bad, runs.Good} {
		for _, x := range run.Executed {
			if name := shortName(x.Function); !slices.Contains(names, name) {
				names = append(names, name)
				why = x.Why
			}
		}
	}
	switch len(names) {
	case 0:
		if runs.Good.Programs || runs.Bad.Programs {
			return "starts programs, which may run what changed"
		}
		return ""
	case 1:
		return "runs " + names[0] + ", which " + why
	}
	return "runs " + list(names) + ", which changed or use what did"
}
