package hunt

import (
	"github.com/pinpoint-go/pinpoint/harness"
)

// recordHost puts into the report on what the hunt ran, as "key: value" lines
// like those of Go's benchmark format, and what its children were given.
func (h *hunt) recordHost() {
	facts := harness.Host()
	p := &h.report.Provenance
	for _, line := range [][2]string{
		{"goos", facts.OS},
		{"goarch", facts.Arch},
		{"cpu", facts.CPU},
		{"kernel", facts.Kernel},
		{"governor", facts.Governor},
		{"virtual", facts.Virtual},
		{"toolchain", h.gocmd.Version},
	} {
		if line[1] != "" {
			p.Host = append(p.Host, line[0]+": "+line[1])
		}
	}
	p.Environment = harness.Environment(h.bad.unprobed, h.opts.Workload)
}
