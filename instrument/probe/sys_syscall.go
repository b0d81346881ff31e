//go:build darwin || dragonfly || freebsd || netbsd || openbsd || (linux && !amd64 && !arm64)

package probe

import (
	"syscall"
	"unsafe"
)

func pread(fd uintptr, to unsafe.Pointer, n uintptr) uintptr {
	got, err := syscall.Pread(int(fd), unsafe.Slice((*byte)(to), n), 0)
	if err != nil {
		return 0
	}
	return uintptr(got)
}

func mmap(fd, size uintptr) unsafe.Pointer {
	b, err := syscall.Mmap(int(fd), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	return unsafe.Pointer(&b[0])
}

func shut(fd uintptr) { syscall.Close(int(fd)) }

func cpuTime() uint64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return uint64(u.Utime.Nano() + u.Stime.Nano())
}
