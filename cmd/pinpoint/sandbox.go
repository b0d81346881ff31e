package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/sandbox"
)

// sandboxByDefault is for a command that runs the code of strangers.
func sandboxByDefault(fs *pflag.FlagSet) {
	f := fs.Lookup("sandbox")
	f.Usage += ";\nwithout the flag where it can be had, --sandbox=false: never"
	f.DefValue = "true"
	f.Value.Set(f.DefValue)
}

// contain has what a command runs run in a sandbox, where that is asked for. Where there
// is none, only what a command does by itself goes on without.
func contain(cmd *cobra.Command) error {
	asked, err := cmd.Flags().GetBool("sandbox")
	if err != nil || !asked {
		return nil
	}
	if err := sandbox.Possible(); err != nil {
		if cmd.Flags().Changed("sandbox") {
			return fmt.Errorf("--sandbox: %w", err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "pinpoint: benchmarks run without a sandbox: %v\n", err)
		return nil
	}
	cmd.SetContext(harness.Sandboxed(cmd.Context()))
	return nil
}
