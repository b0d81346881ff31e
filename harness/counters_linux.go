package harness

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An event is what a counter counts.
type event struct {
	kind   uint32
	config uint64
}

var instructionsAndCycles = [2]event{
	{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_INSTRUCTIONS},
	{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CPU_CYCLES},
}

// openCounters makes counters of the process that this thread starts next, from its
// exec on and of all its threads; the goroutine must be locked to its thread, and start
// one process only. What this thread does is not counted, since it does not exec.
//
// Note: to open them on the child when it has a process ID is too late: by then its
// runtime has made threads, which would not be counted.
func openCounters(events [2]event) (counterFiles, error) {
	var c counterFiles
	for _, e := range events {
		attr := unix.PerfEventAttr{
			Type: e.kind, Config: e.config,
			Size:        uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
			Bits:        unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
			Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		}
		fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if err != nil {
			c.close()
			return nil, os.NewSyscallError("perf_event_open", err)
		}
		c = append(c, os.NewFile(uintptr(fd), "counter"))
	}
	return c, nil
}

// NoCounters says why instructions and cycles of processes can't be counted here, nil when
// they can.
func NoCounters() error {
	c, err := openCounters(instructionsAndCycles)
	c.close()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENODEV):
		return fmt.Errorf("the processor's counters are not there, as on most virtual machines: %w", err)
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		level, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
		return fmt.Errorf("the processor's counters are not open to you, kernel.perf_event_paranoid is %s and should be 2 at most: %w", strings.TrimSpace(string(level)), err)
	}
	return fmt.Errorf("the processor's counters can't be read: %w", err)
}
