//go:build unix

package cache

import (
	"os"
	"syscall"
)

func openLock(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
}

// alone takes the lock of a cache that no other pinpoint uses. Where the file system has
// no locks, others are believed to be there always.
func alone(f *os.File) bool { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

// share holds the lock with others.
func share(f *os.File) { flock(f, syscall.LOCK_SH) }

func flock(f *os.File, how int) bool {
	for {
		// Go's runtime sends signals to its own threads, which may interrupt the wait.
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err == nil
		}
	}
}
