package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/sandbox"
	"github.com/pinpoint-go/pinpoint/trace"
)

// grace is what a child gets between the polite signal and SIGKILL. A Go
// program that hangs needs it to print its goroutines.
const grace = 3 * time.Second

// A child is one process to run, in a process group of its own.
type child struct {
	path     string
	copied   string // what runs in the place of path; "" is path itself
	args     []string
	dir      string
	env      []string
	stdin    *os.File     // nil is /dev/null
	board    *os.File     // descriptor 3; nil is none
	seat     *seat        // descriptors from 4 on; nil is none
	counters counterFiles // the descriptors behind these
	stands   func() bool
	pin      int           // the child may use only this one of the processors, counted from 1; 0: all
	view     *sandbox.View // what it sees where it runs in a sandbox; nil: all
	timeout  time.Duration
	memory   int64 // bytes that it may write to; 0: as it likes
	peak     bool  // its peak of memory is watched
}

// An ending is how a child came to its end.
type ending struct {
	wall   time.Duration // from before the fork, or the end of the way into the sandbox, until the process had exited, on the monotonic clock
	entry  time.Duration // processor time of the way into the sandbox
	state  *os.ProcessState
	output string
	hung   bool // ended by us after the timeout
	peak   int64
	parent bool // of processes that it waited for
}

// run starts the child, waits for it, and leaves no process of its group
// behind. The error says that it could not be started, or is that of ctx.
//
// Until the child is reaped its process ID can't be given to another, so the
// group is always signalled before that where the system lets us wait without
// reaping.
func (c child) run(ctx context.Context) (ending, error) {
	defer trace.Begin(ctx, trace.Process, filepath.Base(c.path))()
	// The parent-death signal is tied to the thread that forks.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	var out tail
	cmd := c.command(&out)
	if err := ctx.Err(); err != nil {
		return ending{}, err
	}
	start := time.Now()
	entry, err := c.enter(cmd)
	if err != nil {
		return ending{}, fmt.Errorf("starting %s: %w", c.path, err)
	}
	var end ending
	entered, exited := make(chan struct{}), make(chan struct{})
	var enterErr, waitErr error
	go func() {
		var way time.Duration
		if entry != nil {
			way, end.entry, enterErr = entry.Await()
		}
		close(entered)
		waitErr = awaitExit(cmd)
		end.wall = time.Since(start) - way
		end.parent = wasParent(cmd.Process.Pid)
		c.seat.passOn()
		close(exited)
	}()
	confine(cmd.Process.Pid, c.memory)
	peak := make(chan int64, 1)
	if c.peak {
		go func() {
			<-entered // the way into the sandbox has memory of its own
			peak <- watchPeak(cmd.Process.Pid, exited)
		}()
	} else {
		peak <- 0
	}
	c.seat.leave()
	hung, err := c.watch(ctx, cmd.Process.Pid, exited)
	killGroup(cmd.Process.Pid)
	if cmd.ProcessState == nil {
		waitErr = cmd.Wait()
	}
	guard.ended(cmd.Process.Pid)
	end.peak = <-peak
	end.state, end.output, end.hung = cmd.ProcessState, out.String(), hung
	switch {
	case err != nil:
	case enterErr != nil:
		err = fmt.Errorf("starting %s: %w", c.path, enterErr)
	case end.state == nil:
		err = fmt.Errorf("waiting for %s: %w", c.path, waitErr)
	}
	return end, err
}

// enter starts the command, in a sandbox if the child has a view; the entry is nil
// where it has none.
func (c child) enter(cmd *exec.Cmd) (*sandbox.Entry, error) {
	if c.view == nil {
		return nil, c.start(cmd)
	}
	entry, err := sandbox.Prepare(cmd, *c.view)
	if err != nil {
		return nil, err
	}
	if err := c.start(cmd); err != nil {
		entry.Close()
		return nil, err
	}
	return entry, nil
}

func (c child) start(cmd *exec.Cmd) error {
	if c.pin == 0 {
		return guard.start(cmd)
	}
	return pinned(c.pin-1, func() error { return guard.start(cmd) })
}

func (c child) command(out *tail) *exec.Cmd {
	cmd := exec.Command(cmp.Or(c.copied, c.path), c.args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	if c.stdin != nil {
		cmd.Stdin = c.stdin
	}
	if c.board != nil {
		cmd.ExtraFiles = slices.Concat([]*os.File{c.board}, c.seat.files(), c.counters)
	}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = groupLeader()
	// A process that left the group may hold the pipe of the output open.
	cmd.WaitDelay = grace
	return cmd
}

func (c child) commandLine() []string { return append([]string{c.path}, c.args...) }

// watch returns when the child has exited. It ends the child when its time is
// up (hung) or ctx is done (the error is that of ctx).
//
// SIGQUIT makes a Go program print its goroutines, which says where it hangs.
// It goes to the program alone: others would leave core files.
func (c child) watch(ctx context.Context, pid int, exited <-chan struct{}) (hung bool, err error) {
	if hung, err = c.overstays(ctx, exited); !hung && err == nil {
		return false, nil
	}
	if hung {
		kill(pid, syscall.SIGQUIT)
	} else {
		kill(-pid, syscall.SIGTERM)
	}
	last := time.NewTimer(grace)
	defer last.Stop()
	select {
	case <-exited:
	case <-last.C:
		killGroup(pid)
		<-exited
	}
	return hung, err
}

// overstays waits for the exit, and reports whether the child's time is up. A
// child that waits for its turn is not the one that hangs.
func (c child) overstays(ctx context.Context, exited <-chan struct{}) (hung bool, err error) {
	timer := time.NewTimer(c.timeout)
	defer timer.Stop()
	for {
		select {
		case <-exited:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		case <-timer.C:
			if c.stands == nil || !c.stands() {
				return true, nil
			}
			timer.Reset(c.timeout)
		}
	}
}

// killGroup kills what is left of the process group. That nothing is left is
// the usual case.
func killGroup(pid int) {
	kill(-pid, syscall.SIGKILL)
}

// failure says how the process failed, nil when it exited 0.
func (e ending) failure(timeout time.Duration) error {
	switch {
	case e.hung:
		return fmt.Errorf("%w within %v", ErrHung, timeout)
	case e.state.Success():
		return nil
	}
	return &exec.ExitError{ProcessState: e.state}
}

// ErrHung is the cause of a [WorkloadError] when a process was ended by its timeout.
var ErrHung = errors.New("not finishing")
