package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/hunt"
)

// findFlags are the flags of a search, besides those of a comparison.
type findFlags struct {
	huntFlags
	function, exclude, finder string
	depth                     int
	dryRun                    bool
}

// finders are the values of --finder.
var finders = []string{"auto", "sweep", "binary", "linear", "revert"}

func findCommand(status *int) *cobra.Command {
	f := &findFlags{}
	cmd := &cobra.Command{
		Use:   "find --good REV --bad REV (--bench RE | --test RE | --main DIR -- ARGS)",
		Short: "compare two revisions and find the call that got slower",
		Example: `  pinpoint find --good v1.4.0 --bad HEAD --pkg ./codec --bench '^BenchmarkEncode$'
  pinpoint find --good main --bad WORKTREE --bench 'BenchmarkSort/size=1000'
  pinpoint find --good HEAD~3 --bad HEAD --main ./cmd/tool --input big.txt -- -v`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args, status) },
	}
	f.registerFind(cmd)
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print the layers and the estimated time, and run nothing")
	return cmd
}

// registerFind adds the flags that say how a call is searched for.
func (f *findFlags) registerFind(cmd *cobra.Command) {
	f.register(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.function, "func", "", "the inspected `function`: Func, (*T).Method or path/pkg.Func\n(default: the timed body of the benchmark)")
	fs.IntVar(&f.depth, "depth", 0, "how `many` layers to open (default: no limit)")
	fs.StringVar(&f.exclude, "exclude", "", "do not dig into functions whose name matches this `regexp`")
	fs.StringVar(&f.finder, "finder", "auto", "how a layer is narrowed, the `kind` of search: "+strings.Join(finders, ", "))
}

func (f *findFlags) run(cmd *cobra.Command, args []string, status *int) error {
	opts, err := f.findOptions(args)
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr())
	opts.Progress, opts.Named = p.show, p.found
	if f.dryRun {
		plan, err := hunt.DryRun(cmd.Context(), opts)
		p.clear()
		if err != nil {
			return err
		}
		return plan.WriteText(cmd.OutOrStdout())
	}
	r, err := hunt.Find(cmd.Context(), opts)
	p.clear()
	return f.finish(cmd, r, err, status)
}

func (f *findFlags) findOptions(args []string) (hunt.Options, error) {
	opts, err := f.options(args)
	if err != nil {
		return opts, err
	}
	if !slices.Contains(finders, f.finder) {
		return opts, usagef("--finder %s: choose one of %s", f.finder, strings.Join(finders, ", "))
	}
	if f.depth < 0 {
		return opts, usagef("--depth %d: give the number of layers to open, or 0 for no limit", f.depth)
	}
	opts.Func, opts.Depth, opts.Finder = f.function, f.depth, f.finder
	if f.exclude != "" {
		re, err := regexp.Compile(f.exclude)
		if err != nil {
			return opts, usagef("--exclude: %v", err)
		}
		opts.Exclude = re.MatchString
	}
	return opts, nil
}
