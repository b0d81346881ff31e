package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/bisect/session"
)

// bisectBudget is the default of --budget: a bisect is many comparisons.
const bisectBudget = 30 * time.Minute

func bisectCommand(status *int) *cobra.Command {
	f := &findFlags{}
	var opts session.Options
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
		Example: `  pinpoint bisect --good v1.4 --bad HEAD --bench Encode
  pinpoint bisect --good v1.4 --bad HEAD --first-parent --bench Encode -- codec
  pinpoint bisect --good v1.4 --bad HEAD --bench Encode --resume --budget 1h`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.main == "" && f.serve == "" {
				opts.Paths, args = append(opts.Paths, args...), nil
			}
			if opts.Options, err = f.options(args); err != nil {
				return err
			}
			return f.bisect(cmd, opts, status)
		},
	}
	fs := cmd.Flags()
	f.register(fs, bisectBudget)
	fs.Lookup("bad").Usage = "the slow `revision`"
	fs.BoolVar(&opts.FirstParent, "first-parent", false, "follow only the first parent of merges")
	fs.StringArrayVar(&opts.Paths, "path", nil, "only commits that touch this `path` can be it (repeatable;\nwithout --main and --serve they can also follow --)")
	fs.BoolVar(&opts.Resume, "resume", false, "go on with the same search where it was interrupted")
	fs.StringVar(&opts.Log, "log", "", "keep a log of the search in this `file`, as git bisect log has it")
	return cmd
}

func (f *findFlags) bisect(cmd *cobra.Command, opts session.Options, status *int) error {
	p := newProgress(cmd.ErrOrStderr())
	opts.Follower, opts.Named, opts.Reached = p.follower(), p.found, p.reached
	on, err := f.fleet.join(cmd, p)
	if err != nil {
		return err
	}
	r, err := session.Bisect(on.ctx, opts)
	if p.clear(); r != nil {
		r.Search.Fleet = on.report()
	}
	on.leave()
	if errors.Is(err, context.Canceled) && r != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "what was measured is kept: the same command with --resume goes on from here")
	}
	return f.finish(cmd, r, err, status)
}
