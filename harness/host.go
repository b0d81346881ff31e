package harness

import (
	"os"
	"runtime"
	"strings"
)

// Facts describe the machine that measured, for reports. What can't be read is
// empty.
type Facts struct {
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	CPU      string `json:"cpu"`      // model
	Cores    int    `json:"cores"`    // that this process may use
	Go       string `json:"go"`       // that pinpoint itself was built with; the sides' is Go.Version
	Kernel   string `json:"kernel"`   // release
	Governor string `json:"governor"` // of the first core: performance, powersave, ...
	Virtual  string `json:"virtual"`  // what it runs under, when that is no bare machine
}

// Host reads the facts of this machine.
func Host() Facts {
	info := readFact("/proc/cpuinfo")
	return Facts{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(),
		Go:       runtime.Version(),
		CPU:      cpuModel(info),
		Kernel:   readFact("/proc/sys/kernel/osrelease"),
		Governor: readFact("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
		Virtual: virtual(info, readFact("/sys/hypervisor/type"),
			readFact("/sys/class/dmi/id/sys_vendor"), readFact("/sys/class/dmi/id/product_name")),
	}
}

// Lines are the facts that say what times can be compared with, as "key: value" lines
// like those of Go's benchmark format, with the toolchain of what was measured.
func (f Facts) Lines(toolchain string) []string {
	var lines []string
	for _, line := range [][2]string{
		{"goos", f.OS},
		{"goarch", f.Arch},
		{"cpu", f.CPU},
		{"kernel", f.Kernel},
		{"governor", f.Governor},
		{"virtual", f.Virtual},
		{"toolchain", toolchain},
	} {
		if line[1] != "" {
			lines = append(lines, line[0]+": "+line[1])
		}
	}
	return lines
}

func readFact(name string) string {
	data, _ := os.ReadFile(name)
	return strings.TrimSpace(string(data))
}

// cpuModel is the first model that /proc/cpuinfo names.
func cpuModel(info string) string {
	return cpuField(info, "model name", "Model", "cpu model", "Hardware")
}

// cpuField is the first value in /proc/cpuinfo of the first of keys that has one.
func cpuField(info string, keys ...string) string {
	for _, key := range keys {
		for line := range strings.Lines(info) {
			name, value, ok := strings.Cut(line, ":")
			if ok && strings.TrimSpace(name) == key {
				return strings.TrimSpace(value)
			}
		}
	}
	return ""
}

// virtual says what the machine runs under. The hypervisor flag of the CPU is
// what every guest has; the maker's name, where it can be read, says more.
func virtual(info, hypervisor, vendor, product string) string {
	if hypervisor != "" {
		return hypervisor
	}
	flags := strings.Fields(cpuField(info, "flags"))
	for _, f := range flags {
		if f == "hypervisor" {
			if name := strings.TrimSpace(vendor + " " + product); name != "" {
				return name
			}
			return "a hypervisor"
		}
	}
	return ""
}
