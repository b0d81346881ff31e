package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/bisect"
	"github.com/pinpoint-go/pinpoint/bisect/session"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
)

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
	f := &huntFlags{}
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
	f.register(cmd.Flags(), setup.DefaultBudget)
	cmd.Flags().StringVar(&rev, "rev", "HEAD", "the `revision` to decide")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		*status = runAbort
		return flagError(cmd, err)
	})
	return cmd
}

func (f *huntFlags) step(cmd *cobra.Command, args []string, rev string) (bisect.Mark, error) {
	opts, err := f.options(args)
	if err != nil {
		return "", err
	}
	p := newProgress(cmd.ErrOrStderr())
	opts.Progress = p.show
	on, err := f.fleet.join(cmd, p)
	if err != nil {
		return "", err
	}
	defer on.leave()
	s, err := session.Decide(on.ctx, session.Options{Options: opts}, rev)
	p.clear()
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "pinpoint: %s is %s\n", rev, s.Said)
	return s.Mark, err
}
