//go:build unix && !linux

package harness

import (
	"os/exec"
	"syscall"
)

// groupLeader puts the child into a session and a process group of its own.
func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}

// awaitExit waits for the process and reaps it: there is no portable way to
// see the end without that.
func awaitExit(cmd *exec.Cmd) error { return cmd.Wait() }

// wasParent is not told here.
func wasParent(int) bool { return false }

// pinned runs f. There is no portable way to choose a processor.
func pinned(_ int, f func() error) error { return f() }
