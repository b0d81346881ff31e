package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/outside"
)

//go:embed doc.go
var manual string

// The exit statuses that are not a report's.
const (
	exitFailed      = 2
	exitInterrupted = 130
)

func main() {
	os.Exit(pinpoint(os.Args[1:], os.Stdout, os.Stderr))
}

// pinpoint runs one command line and gives the exit status.
func pinpoint(args []string, stdout, stderr io.Writer) int {
	rarelyCollect()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	// Most of what is printed was written by others.
	out, log := outside.NewTerminal(stdout), outside.NewTerminal(stderr)
	ctx, end := context.WithCancel(ctx)
	defer end()
	unread := whileRead(end, out, log)
	status := 0
	traced := &tracing{}
	root := rootCommand(&status, traced)
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(log)
	var err error
	if crashed := guarded(log, func() int { err = root.ExecuteContext(ctx); return 0 }); crashed != 0 {
		return crashed
	}
	if saveErr := traced.save(); err == nil {
		err = saveErr
	}
	if writeErr := out.Err(); err == nil && writeErr != nil {
		err = fmt.Errorf("writing to standard output: %w", writeErr)
	}
	if waited := harness.Impatient(); waited > 0 {
		fmt.Fprintf(log, "pinpoint: waited %v for other pinpoints on this machine, then measured beside them: what they do shows in the results (PINPOINT_LOCK_DIR names another lock)\n", waited.Round(time.Second))
	}
	switch {
	case unread():
		return exitUnread
	case ctx.Err() != nil:
		fmt.Fprintln(log, "pinpoint: interrupted")
		return exitInterrupted
	case err != nil:
		fmt.Fprintf(log, "pinpoint: %v\n", err)
		var usage *usageError
		if errors.As(err, &usage) || strings.HasPrefix(err.Error(), "unknown command") {
			fmt.Fprintln(log, "Run 'pinpoint --help' for the manual.")
		}
		// Git takes 2 for a slow commit: a step of a bisect says otherwise.
		return max(exitFailed, status&runAbort)
	}
	return status
}

// rootCommand is pinpoint with its commands, which set status to what a report
// asks for.
func rootCommand(status *int, traced *tracing) *cobra.Command {
	root := &cobra.Command{
		Use:           "pinpoint",
		Short:         "find the call that made a Go benchmark slower between two git revisions",
		Long:          manualText(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	plain, quiet, verbose := false, false, false
	root.PersistentFlags().BoolVar(&plain, "plain", false, "no colours, and nothing drawn over (so does NO_COLOR, without the latter)")
	root.PersistentFlags().BoolVarP(&quiet, "quiet", "q", false, "no progress")
	root.PersistentFlags().BoolVarP(&verbose, "verbose", "v", false, "say why each decision was made, to standard error")
	traced.register(root.PersistentFlags())
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		setUp(cmd, plain, quiet, verbose)
		traced.begin(cmd)
		return before(cmd)
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	// Cobra's own template lets lines run past the terminal's edge.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		findCommand(status),
		compareCommand(status),
		measureCommand(),
		historyCommand(status),
		bisectCommand(status),
		bisectStepCommand(status),
		layersCommand(),
		probeCommand(),
		ciCommand(status),
		workerCommand(),
		fleetCommand(),
		reportCommand(),
		demoCommand(status),
		driverCommand(status),
		doctorCommand(status),
		manCommand(),
		cacheCommand(),
	)
	for _, cmd := range root.Commands() {
		inOrder(cmd)
	}
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		refuseUnknown(cmd)
	}
	complete(root)
	return root
}

// setUp makes the streams of a command what its flags and the environment ask for.
func setUp(cmd *cobra.Command, plain, quiet, verbose bool) {
	watched := os.Getenv("TERM") != "dumb" && !plain
	for _, w := range []io.Writer{cmd.OutOrStdout(), cmd.ErrOrStderr()} {
		if t, ok := w.(*outside.Terminal); ok {
			t.Redraws = watched && t.IsTerminal()
			t.Colours = t.Redraws && os.Getenv("NO_COLOR") == ""
			t.Quiet, t.Verbose = quiet, verbose
		}
	}
}

// inOrder has the flags of a command and those below it shown as they were registered:
// by subject, not by name.
func inOrder(cmd *cobra.Command) {
	cmd.Flags().SortFlags, cmd.PersistentFlags().SortFlags = false, false
	for _, sub := range cmd.Commands() {
		inOrder(sub)
	}
}

// manualText is the package comment, so that the manual is written once.
func manualText() string {
	_, text, _ := strings.Cut(manual, "/*\n")
	text, _, _ = strings.Cut(text, "*/")
	return strings.TrimSpace(text)
}
