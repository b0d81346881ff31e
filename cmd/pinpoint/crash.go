package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// guarded runs a command. A panic is a defect of pinpoint's own, and what was known until
// then is all that the user gets for the time: it is said again, with where to report it.
func guarded(stderr io.Writer, run func() int) (status int) {
	defer func() {
		if defect := recover(); defect != nil {
			status = exitFailed
			tellCrash(stderr, defect, string(debug.Stack()))
		}
	}()
	return run()
}

func tellCrash(w io.Writer, defect any, stack string) {
	fmt.Fprintf(w, "\npinpoint: a defect of pinpoint itself: %v\n", defect)
	if known := whatIsKnown.text(); known != "" {
		fmt.Fprintf(w, "known until then:\n%s", known)
	}
	fmt.Fprintf(w, "Please report it with what follows (%s): https://github.com/pinpoint-go/pinpoint/issues\n\n%s", version(), stack)
}

// whatIsKnown is what a command has told of its progress.
var whatIsKnown known

type known struct {
	phase string
	found []string // culprits, as they were printed when they were found
}

func (k *known) text() string {
	var b strings.Builder
	if k.phase != "" {
		fmt.Fprintf(&b, "  it was %s\n", k.phase)
	}
	for _, f := range k.found {
		b.WriteString(f)
	}
	return b.String()
}

// refuseUnknown makes commands that only have others below them refuse what is none of
// these: cobra prints their help, and all is well.
func refuseUnknown(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		refuseUnknown(sub)
	}
	if cmd.Runnable() || !cmd.HasSubCommands() {
		return
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return usagef("unknown command %q for %q", args[0], cmd.CommandPath())
	}
}

// helpCommand is cobra's, which exits 0 for what there is no help of.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:    "help [command]",
		Short:  "help about a command",
		Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("there is no command %q", strings.Join(args, " "))
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}
