package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/workload"
)

// choosing is the part of the budget that looking for a workload may take.
const choosing = 4

// runnersUp is how many workloads are told of besides the chosen one.
const runnersUp = 3

// search is how a workload is looked for: in bad, since what is new there is most
// likely what got slower.
func (f *findFlags) search() workload.Options {
	o := workload.Options{
		Dir: f.dir, Rev: f.hunt.Bad, Tags: f.tags, Process: f.process,
		Time: min(f.hunt.Budget/choosing, workload.DefaultTime),
	}
	if f.pkg != "." {
		o.Packages = []string{f.pkg}
	}
	return o
}

// findFunction hunts from a function: in the workload that runs it most.
func (f *findFlags) findFunction(cmd *cobra.Command, opts hunt.Options, dry bool, status *int) error {
	if dry {
		return usagef("--dry-run runs nothing, and a workload for --func is chosen by running some: name one")
	}
	begin := time.Now()
	choice, err := f.choose(cmd, opts)
	if err != nil {
		return err
	}
	if len(choice.Ran) == 0 {
		return noneRuns(choice)
	}
	opts.Func = choice.Function
	opts.Budget -= time.Since(begin)
	if f.allWorkloads {
		return f.huntAll(cmd, opts, choice, status)
	}
	r, err := f.huntIn(cmd, opts, choice, 0)
	return f.finish(cmd, r, err, status)
}

// huntIn hunts in one of the workloads that ran the function.
func (f *findFlags) huntIn(cmd *cobra.Command, opts hunt.Options, choice *workload.Choice, index int) (*report.Report, error) {
	run := choice.Ran[index]
	opts.Package, opts.Workload.Kind, opts.Workload.Pattern = run.Dir, run.Kind, run.Pattern
	r, err := f.hunted(cmd, opts)
	if r != nil {
		r.Workload.Chosen = chosenOf(choice, index)
	}
	return r, err
}

// several is how many workloads --all-workloads hunts in.
const several = 3

// huntAll hunts in the best workloads, each with an equal part of the time left.
func (f *findFlags) huntAll(cmd *cobra.Command, opts hunt.Options, choice *workload.Choice, status *int) error {
	end := time.Now().Add(opts.Budget)
	best := choice.Best(several)
	var reports []*report.Report
	var failed []string
	for i, index := range best {
		opts.Budget = time.Until(end) / time.Duration(len(best)-i)
		r, err := f.huntIn(cmd, opts, choice, index)
		if cmd.Context().Err() != nil {
			return err
		}
		if err != nil {
			failed = append(failed, fmt.Sprintf("the hunt in %s failed: %v", choice.Ran[index], err))
		}
		if r != nil && (r.Whole != nil || r.Idle != "") {
			reports = append(reports, r)
		}
	}
	if len(reports) == 0 {
		return errors.New(strings.Join(failed, "\n"))
	}
	j := report.Join(reports)
	j.Warnings = append(j.Warnings, failed...)
	*status = j.ExitStatus()
	keep(cmd.ErrOrStderr(), j.WriteJSON)
	return f.print(cmd, j)
}

// choose looks for what runs the function.
func (f *findFlags) choose(cmd *cobra.Command, opts hunt.Options) (*workload.Choice, error) {
	p := newProgress(cmd.ErrOrStderr())
	defer p.clear()
	p.unit = "workload"
	look := f.search()
	look.Progress = p.show
	s, err := workload.Open(cmd.Context(), look)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	choice, err := s.Choose(cmd.Context(), opts.Func)
	if err != nil {
		return nil, fmt.Errorf("--func in %s: %w", opts.Bad, err)
	}
	return choice, nil
}

// chosenOf is the choice as a report tells of it, for the workload at index.
func chosenOf(c *workload.Choice, index int) *report.Chosen {
	run := c.Ran[index]
	chosen := &report.Chosen{Function: c.Function, Share: run.Share, Calls: run.Calls, Looked: c.Looked, Notes: c.Notes}
	for i, other := range c.Ran {
		if i != index && len(chosen.Others) < runnersUp {
			chosen.Others = append(chosen.Others, report.Runner{Name: other.Name, Package: other.Package, Share: other.Share})
		}
	}
	return chosen
}

// noneRuns says what there is instead of a workload.
func noneRuns(c *workload.Choice) error {
	var b strings.Builder
	if c.Late {
		fmt.Fprintf(&b, "what runs %s was not found in time, in %s that may reach it by the call graph: raise --budget, of which a quarter is for looking, or say where by --pkg", c.Function, text.Plural(c.Looked, "workload"))
	} else {
		fmt.Fprintf(&b, "nothing runs %s: %s that may reach it by the call graph, none that enters it", c.Function, text.Plural(c.Looked, "workload"))
	}
	for _, n := range c.Near {
		by := "which nothing runs either"
		if n.By != "" {
			by = "which " + n.By + " runs"
		}
		fmt.Fprintf(&b, "\n  %s above it: %s, %s", text.Plural(n.Steps, "call"), n.Function, by)
	}
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "\n  %s", n)
	}
	fmt.Fprintf(&b, "\nTo make a benchmark of what its tests give it, or to have a skeleton of one:\n  pinpoint driver --func %s", harness.Quote([]string{c.Function}))
	return fmt.Errorf("%s", b.String())
}
