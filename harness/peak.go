package harness

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// peakEvery is how often a process is asked for its peak: what it takes in the last
// moments only is not seen.
const peakEvery = 5 * time.Millisecond

// watchPeak gives the most memory that a process has had in use at a time, in bytes, as
// soon as it has ended; 0 where the system doesn't tell.
//
// Linux counts, for a process that is waited for, what its parent had when it forked,
// too, which may be more. While it runs it says its own.
func watchPeak(pid int, exited <-chan struct{}) (peak int64) {
	if runtime.GOOS != "linux" {
		<-exited
		return 0
	}
	ticker := time.NewTicker(peakEvery)
	defer ticker.Stop()
	for {
		status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
		peak = max(peak, highWater(string(status)))
		select {
		case <-exited:
			return peak
		case <-ticker.C:
		}
	}
}

// highWater reads the line VmHWM of /proc/PID/status; 0 if there is none.
func highWater(status string) int64 {
	_, after, _ := strings.Cut(status, "\nVmHWM:")
	fields := strings.Fields(after)
	if len(fields) < 2 || fields[1] != "kB" {
		return 0
	}
	n, _ := strconv.ParseInt(fields[0], 10, 64)
	return n << 10
}

// peakOf is what the system says of a process that was waited for, where that is its own.
func peakOf(state *os.ProcessState, watched int64) int64 {
	if runtime.GOOS == "darwin" {
		return largest(state)
	}
	return watched
}
