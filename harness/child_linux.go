package harness

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// groupLeader puts the child into a process group of its own and has it
// killed when this process dies first.
func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitExit returns when the process has exited, and doesn't reap it.
func awaitExit(cmd *exec.Cmd) error {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err
		}
	}
}
