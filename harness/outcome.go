package harness

import (
	"bufio"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
)

// Causes of a [WorkloadError]; others are ErrHung and an *exec.ExitError.
var (
	ErrNoResult = errors.New("exit status 0 without a result")
	ErrGarbage  = errors.New("results that can't be")
	ErrSkipped  = errors.New("skipping itself")
	ErrNothing  = errors.New("timing nothing")
	ErrNoBoard  = errors.New("the binary was built without the probe runtime")
)

// WorkloadError says that a process did not do its job.
type WorkloadError struct {
	Label    string   // the side: good or bad
	Workload string   // as the user named it
	Command  []string // the binary and its arguments
	Dir      string   // where it ran
	Tail     string   // the last 64 KB of its output
	Cause    error    // one of the Err variables, or an *exec.ExitError
	Advice   string   // what to do about it, one sentence; may be empty
}

func (e *WorkloadError) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "running %s of the %s side: %v", e.Workload, e.Label, e.Cause)
	if e.Advice != "" {
		fmt.Fprintf(&s, "\n%s", e.Advice)
	}
	fmt.Fprintf(&s, "\ncommand: cd %s && %s", Quote([]string{e.Dir}), Quote(e.Command))
	if tail := strings.TrimRight(e.Tail, "\n"); tail != "" {
		fmt.Fprintf(&s, "\noutput:\n\t%s", strings.ReplaceAll(tail, "\n", "\n\t"))
	} else {
		s.WriteString("\nit printed nothing")
	}
	return s.String()
}

func (e *WorkloadError) Unwrap() error { return e.Cause }

// Last is the line in which the process said why it ended: that of its panic; "" if it
// said nothing of the kind.
func (e *WorkloadError) Last() string {
	for line := range strings.SplitSeq(e.Tail, "\n") {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// MissingError says that a process did its job and found nothing that the
// pattern matches.
type MissingError struct {
	Labels   []string // the sides that miss it
	Workload string   // as the user named it
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("running %s: nothing matches on the %s side", e.Workload, strings.Join(e.Labels, " and the "))
}

// ChoiceError says that a pattern matches more benchmarks than one.
type ChoiceError struct {
	Pattern string
	Names   []string // as the board has them
}

func (e *ChoiceError) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "running benchmark %s: it matches %d benchmarks, choose one:", e.Pattern, len(e.Names))
	for _, name := range e.Names {
		s.WriteString("\n\t" + PatternOf(name, e.Names))
	}
	return s.String()
}

// advice is what to do about a failure, as far as its cause and its output tell.
func advice(cause error, w Workload, output string) string {
	var exit *exec.ExitError
	switch {
	case errors.Is(cause, ErrHung):
		return "its goroutines are in the output if it is a Go program; if it was only slow, raise --timeout"
	case errors.Is(cause, ErrNothing):
		return "it stops its timer, or does not run b.N iterations: of such times nothing can be said"
	case errors.Is(cause, ErrNoResult):
		return "does its TestMain exit without m.Run, or before it returned? then put a driver (--driver) into a neighbouring package"
	case strings.Contains(output, "unexpected call to os.Exit(0) during test"):
		return "something calls os.Exit(0) while it runs: such code can only be run as a program (--main)"
	case strings.Contains(output, "runtime: out of memory") || strings.Contains(output, "fatal error: out of memory") || strings.Contains(output, "cannot allocate memory"):
		return "it wanted more memory than it may have: raise --memory"
	case diedInRuntime(output):
		return "Go's own runtime crashed, as it can where the memory that it may have ends: try a higher --memory"
	case errors.As(cause, &exit) && signalled(exit) == fileTooLarge:
		return "it wrote a file that was too large"
	case errors.As(cause, &exit) && signalled(exit) == syscall.SIGKILL:
		return "it was killed by someone else: is there enough memory?"
	case w.Kind != Main && strings.Contains(output, "flag provided but not defined: -test."):
		return "its TestMain parses flags of its own: put a driver (--driver) into a neighbouring package"
	}
	return ""
}

// diedInRuntime reports whether a fault was on the scheduler's own stack. Go 1.26's
// collector does not look whether it was given the memory for its queues
// (runtime/mgcmark_greenteagc.go), so a process at its bound may end so.
func diedInRuntime(output string) bool {
	_, after, found := strings.Cut(output, "SIGSEGV: segmentation violation")
	return found && strings.Contains(after, "\ngoroutine 0 ")
}

func signalled(exit *exec.ExitError) syscall.Signal {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal()
	}
	return 0
}

// ranTests reports whether package testing came to its end, which tells a
// pattern without a match from a TestMain that exits by itself.
func ranTests(output string) bool { return hasLine(output, "PASS") }

func noTests(output string) bool { return hasLine(output, "testing: warning: no tests to run") }

// skips reports whether a verbose run skipped what it was to run, and ran
// nothing else.
func skips(output string) bool {
	return strings.Contains(output, "--- SKIP: ") && !strings.Contains(output, "--- PASS: ")
}

func hasLine(output, line string) bool {
	lines := bufio.NewScanner(strings.NewReader(output))
	lines.Buffer(nil, 2*tailSize)
	for lines.Scan() {
		if lines.Text() == line {
			return true
		}
	}
	return false
}
