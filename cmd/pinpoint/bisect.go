package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/bisect"
	"github.com/pinpoint-go/pinpoint/hunt"
)

// bisectFlags are the flags of a search for a commit, besides those of the search
// for the call in it.
type bisectFlags struct {
	findFlags
	firstParent, resume bool
	paths               []string
	log                 string
}

// bisectBudget is the default of --budget: a bisect is many comparisons.
const bisectBudget = 30 * time.Minute

func bisectCommand(status *int) *cobra.Command {
	f := &bisectFlags{}
	cmd := &cobra.Command{
		Use:   "bisect --good REV --bad REV --bench RE [-- PATH...]",
		Short: "find the commit that got slower, and the call in it",
		Long: `Bisect finds the commit between good and bad that made bad slow, and then the
call in it. It first compares the ends. Then it holds one commit after the other
against good, as git bisect would choose them, and asks on which side of half
the difference it lies. What can't be built or decided is gone past. What the
answer rests on is measured again, and the commit that is found is held against
its parent on fresh processes before it is named.

Everything that was measured is kept, and --resume goes on with it: after ^C,
after a kill, or with a larger --budget. --log writes what git bisect replay
takes. To drive git bisect yourself, see the script git-bisect-pinpoint.`,
		Example: `  pinpoint bisect --good v1.4.0 --bad HEAD --bench '^BenchmarkEncode$'
  pinpoint bisect --good v1.4 --bad HEAD --first-parent --bench Sort -- sort
  pinpoint bisect --good v1.4 --bad HEAD --bench Sort --resume --budget 1h`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args, status) },
	}
	fs := cmd.Flags()
	f.registerFind(cmd)
	f.budget = bisectBudget
	fs.Lookup("budget").DefValue = bisectBudget.String()
	fs.Lookup("bad").Usage = "the slow `revision`"
	fs.BoolVar(&f.firstParent, "first-parent", false, "follow only the first parent of merges")
	fs.StringArrayVar(&f.paths, "path", nil, "only commits that touch this `path` can be it (repeatable;\nwithout --main they can also follow --)")
	fs.BoolVar(&f.resume, "resume", false, "go on with the same search where it was interrupted")
	fs.StringVar(&f.log, "log", "", "keep a log of the search in this `file`, as git bisect log has it")
	return cmd
}

func (f *bisectFlags) run(cmd *cobra.Command, args []string, status *int) error {
	opts, err := f.bisectOptions(args)
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr())
	opts.Progress, opts.Named = p.show, p.found
	r, err := hunt.Bisect(cmd.Context(), opts)
	p.clear()
	if errors.Is(err, context.Canceled) && r != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "what was measured is kept: the same command with --resume goes on from here")
	}
	return f.finish(cmd, r, err, status)
}

func (f *bisectFlags) bisectOptions(args []string) (hunt.BisectOptions, error) {
	paths := f.paths
	if f.main == "" {
		paths, args = append(paths, args...), nil
	}
	opts, err := f.findOptions(args)
	return hunt.BisectOptions{Options: opts, FirstParent: f.firstParent, Paths: paths, Resume: f.resume, Log: f.log}, err
}

// The exit statuses that git bisect run asks for. From 128 on it gives up.
const (
	runGood  = 0
	runBad   = 1
	runSkip  = 125
	runAbort = 128
)

// bisectStepCommand is one step of git bisect run. It is apart from bisect since its
// exit status means something else.
func bisectStepCommand(status *int) *cobra.Command {
	f := &bisectFlags{}
	rev := ""
	cmd := &cobra.Command{
		Use:   "bisect-step --good REV --bad REV --bench RE",
		Short: "decide one commit for git bisect run",
		Long: `Bisect-step says on which side of a bisect one commit is: with exit status 0 on
good's, with 1 on bad's, with 125 that it can't be told or tested, and with 128
or more that git had better give up. It compares good and bad at the first step
and keeps that, and all steps, for the next ones.

The script git-bisect-pinpoint calls it with the ends of the bisect under way.`,
		Example: `  git bisect start HEAD v1.4.0
  git bisect run git-bisect-pinpoint --bench '^BenchmarkEncode$' --pkg ./codec`,
		RunE: func(cmd *cobra.Command, args []string) error {
			*status = runAbort // whatever goes wrong
			mark, err := f.step(cmd, args, rev)
			if err != nil {
				return err
			}
			*status = map[bisect.Mark]int{bisect.Good: runGood, bisect.Bad: runBad}[mark]
			if mark != bisect.Good && mark != bisect.Bad {
				*status = runSkip
			}
			return nil
		},
	}
	f.register(cmd)
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		*status = runAbort
		return err
	})
	cmd.Flags().StringVar(&rev, "rev", "HEAD", "the `revision` to decide")
	return cmd
}

func (f *bisectFlags) step(cmd *cobra.Command, args []string, rev string) (bisect.Mark, error) {
	f.finder = "auto"
	opts, err := f.findOptions(args)
	if err != nil {
		return "", err
	}
	p := newProgress(cmd.ErrOrStderr())
	opts.Progress = p.show
	s, err := hunt.BisectStep(cmd.Context(), hunt.BisectOptions{Options: opts}, rev)
	p.clear()
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "pinpoint: %s is %s\n", rev, s.Said)
	return s.Mark, err
}
