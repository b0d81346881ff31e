package harness

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"time"
)

// busyness is what the machine's counters say at one moment.
type busyness struct {
	delay        time.Duration
	busy, stolen time.Duration // of all processors
}

// hostBusyness reads the counters.
func hostBusyness() busyness {
	pressure, _ := os.ReadFile("/proc/pressure/cpu")
	b := busyness{delay: someDelay(string(pressure))}
	if f, err := os.Open("/proc/stat"); err == nil {
		defer f.Close()
		if line, err := bufio.NewReader(f).ReadString('\n'); err == nil {
			b.busy, b.stolen = processorTimes(line)
		}
	}
	return b
}

// someDelay is the total of the first line of /proc/pressure/cpu: the time for
// which at least one task waited for a processor.
func someDelay(pressure string) time.Duration {
	line, _, _ := strings.Cut(pressure, "\n")
	_, total, _ := strings.Cut(line, " total=")
	micros, _ := strconv.ParseInt(strings.TrimSpace(total), 10, 64)
	return time.Duration(micros) * time.Microsecond
}

// tick is the unit of /proc/stat. The kernel's own clock may be faster, but to
// programs it says hundredths of a second.
const tick = 10 * time.Millisecond

// processorTimes reads the line cpu of /proc/stat: user, nice, system, idle,
// iowait, irq, softirq, steal. Of guests the time is in user's already.
func processorTimes(line string) (busy, stolen time.Duration) {
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, 0
	}
	at := func(i int) time.Duration {
		ticks, _ := strconv.ParseInt(fields[1+i], 10, 64)
		return time.Duration(ticks) * tick
	}
	return at(0) + at(1) + at(2) + at(5) + at(6), at(7)
}

// until is what the machine's counters say of processes that ran between the two.
func (b busyness) until(later busyness, runs ...Process) Disturbance {
	var d Disturbance
	for _, p := range runs {
		d.Usage = d.Usage.plus(p.Usage)
		d.Parallel = d.Parallel || p.Parallel.Func != ""
	}
	d.Delay = later.delay - b.delay
	d.Stolen = later.stolen - b.stolen
	// Ticks are counted where they fall, so the difference may be a bit below zero.
	d.Foreign = max(later.busy-b.busy-d.CPU, 0)
	return d
}
