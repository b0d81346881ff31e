package main

import (
	"slices"

	"github.com/spf13/cobra"
)

// readers are the commands that measure nothing.
var readers = []string{"layers", "history", "report", "cache", "help", "completion"}

// measurable refuses, on a system where nothing can be measured, what would.
func measurable(cmd *cobra.Command, system string) error {
	top := cmd
	for top.HasParent() && top.Parent().HasParent() {
		top = top.Parent()
	}
	if system != "windows" || !cmd.HasParent() || slices.Contains(readers, top.Name()) {
		return nil
	}
	return usagef("pinpoint measures on Linux and macOS, and on Windows in WSL: here only layers, history and report work")
}
