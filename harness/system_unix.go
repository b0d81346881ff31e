//go:build unix

package harness

import (
	"io/fs"
	"os"
	"syscall"
)

// fileTooLarge ends a process that writes beyond its bound.
const fileTooLarge = syscall.SIGXFSZ

// pipe makes one whose ends block, in the children that inherit them too. Those
// of os.Pipe don't.
func pipe() (out, in *os.File, err error) {
	var fds [2]int
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := syscall.Pipe(fds[:]); err != nil {
		return nil, nil, os.NewSyscallError("pipe", err)
	}
	syscall.CloseOnExec(fds[0])
	syscall.CloseOnExec(fds[1])
	return os.NewFile(uintptr(fds[0]), "turn"), os.NewFile(uintptr(fds[1]), "turn"), nil
}

// kill sends a signal to a process, or with a negative number to a group.
func kill(pid int, sig syscall.Signal) { syscall.Kill(pid, sig) }

// switches are the context switches that a process did not ask for.
func switches(state *os.ProcessState) int64 {
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(r.Nivcsw)
	}
	return 0
}

// largest is the most memory that a process had, in what the system counts it in.
func largest(state *os.ProcessState) int64 {
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(r.Maxrss)
	}
	return 0
}

func mine(e fs.DirEntry) bool {
	info, err := e.Info()
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
