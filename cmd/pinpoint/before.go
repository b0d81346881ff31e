package main

import (
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/output"
)

// outputFlags are the flags that name files to write.
var outputFlags = []string{"json", "markdown", "comment", "sarif", "junit", "log", "plot", "gnuplot", "trace"}

// before is what every command does first: it sees to it that what is asked for can be
// written, before the time that it takes to know what, and that the budget bounds
// waiting for others, too.
func before(cmd *cobra.Command) error {
	if err := measurable(cmd, runtime.GOOS); err != nil {
		return err
	}
	names := outputFlags
	if cmd.Name() != "probe" { // whose -o is a directory
		names = append(slices.Clip(names), "out")
	}
	for _, name := range names {
		f := cmd.Flags().Lookup(name)
		if f == nil || f.Value.Type() == "bool" || f.Value.String() == "" || f.Value.String() == "-" {
			continue
		}
		if err := output.Check(f.Value.String()); err != nil {
			return usagef("--%s: %v", name, err)
		}
	}
	if budget, err := cmd.Flags().GetDuration("budget"); err == nil && budget > 0 {
		cmd.SetContext(harness.Patience(cmd.Context(), budget))
	}
	return contain(cmd)
}
