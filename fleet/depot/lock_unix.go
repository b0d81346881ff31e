//go:build unix

package depot

import (
	"os"
	"syscall"
)

// locked takes a lock that nobody has, for as long as the file is open.
func locked(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
