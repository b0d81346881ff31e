package doctor

import (
	"os"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/harness"
)

// Settings are those of the system that make times vary. What can't be read is
// empty or nil.
type Settings struct {
	Boost   *bool    `json:"boost,omitempty"` // the clock goes above its base frequency while it is cool enough
	SMT     *bool    `json:"smt,omitempty"`   // two processors share a core
	Load    *float64 `json:"load,omitempty"`  // processes that wanted to run in the last minute
	Battery bool     `json:"battery"`         // the machine runs on it
	// NoCounters is why instructions and cycles are not counted; empty: they are.
	NoCounters string `json:"no_counters,omitempty"`
}

func readSettings() Settings {
	s := settingsFrom(readFile)
	if err := harness.NoCounters(); err != nil {
		s.NoCounters = err.Error()
	}
	return s
}

// readFile is a file's content without space around it, empty if it can't be read.
func readFile(name string) string {
	data, _ := os.ReadFile(name)
	return strings.TrimSpace(string(data))
}

func settingsFrom(read func(name string) string) Settings {
	s := Settings{
		Boost: flag(read("/sys/devices/system/cpu/cpufreq/boost"), "1", "0"),
		SMT:   flag(read("/sys/devices/system/cpu/smt/active"), "1", "0"),
	}
	if s.Boost == nil {
		s.Boost = flag(read("/sys/devices/system/cpu/intel_pstate/no_turbo"), "0", "1")
	}
	first, _, _ := strings.Cut(read("/proc/loadavg"), " ")
	if load, err := strconv.ParseFloat(first, 64); err == nil {
		s.Load = &load
	}
	for _, battery := range []string{"BAT0", "BAT1"} {
		if read("/sys/class/power_supply/"+battery+"/status") == "Discharging" {
			s.Battery = true
		}
	}
	return s
}

func flag(value, on, off string) *bool {
	switch value {
	case on, off:
		b := value == on
		return &b
	}
	return nil
}
