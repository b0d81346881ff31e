package main

import (
	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/hunt"
)

func compareCommand(status *int) *cobra.Command {
	f := &huntFlags{}
	cmd := &cobra.Command{
		Use:     "compare --good REV --bad REV (--bench RE | --test RE | --main DIR -- ARGS)",
		Short:   "compare two revisions, without a search",
		Example: `  pinpoint compare --good v1.4.0 --bad HEAD --pkg ./codec --bench '^BenchmarkEncode$'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts, err := f.options(args)
			if err != nil {
				return err
			}
			p := newProgress(cmd.ErrOrStderr())
			opts.Progress = p.show
			r, err := hunt.Compare(cmd.Context(), opts)
			p.clear()
			return f.finish(cmd, r, err, status)
		},
	}
	f.register(cmd)
	return cmd
}
