//go:build linux && (amd64 || arm64)

package probe

import "unsafe"

// System calls of our own, for package syscall imports sync, strconv's errors
// and more, which couldn't be probed if we imported it.

// pread reads from the beginning of a file.
//
//go:noescape
func pread(fd uintptr, to unsafe.Pointer, n uintptr) uintptr

// mmap maps a file, shared; nil if that fails.
func mmap(fd, size uintptr) unsafe.Pointer

func shut(fd uintptr)

// cpuTime is what all threads of the process have used, in nanoseconds.
//
//go:nosplit
func cpuTime() uint64
