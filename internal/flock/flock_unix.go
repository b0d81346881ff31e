//go:build unix

package flock

import (
	"os"
	"syscall"
)

// How a file is locked, and opened where somebody may have put something else.
const (
	Alone    = syscall.LOCK_EX
	Shared   = syscall.LOCK_SH
	DontWait = syscall.LOCK_NB
	NoFollow = syscall.O_NOFOLLOW
)

// Lock waits for a lock. Go's runtime sends signals to its own threads, which may
// interrupt the wait.
func Lock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if err != syscall.EINTR {
			return err
		}
	}
}

// Taken reports whether Lock failed because another process has the lock.
func Taken(err error) bool { return err == syscall.EWOULDBLOCK }
