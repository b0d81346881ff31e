package hunt

import "github.com/pinpoint-go/pinpoint/harness"

// recordHost puts into the report on what the hunt ran, and what its children were
// given.
func (h *hunt) recordHost() {
	p := &h.report.Provenance
	p.Host = append(p.Host, hostLines(h.set.Go())...)
	p.Environment = harness.Environment(h.bad.unprobed, h.opts.Workload)
}

// hostLines are the host and the toolchain, as "key: value" lines like those of Go's
// benchmark format.
func hostLines(gocmd *harness.Go) (lines []string) {
	facts := harness.Host()
	for _, line := range [][2]string{
		{"goos", facts.OS},
		{"goarch", facts.Arch},
		{"cpu", facts.CPU},
		{"kernel", facts.Kernel},
		{"governor", facts.Governor},
		{"virtual", facts.Virtual},
		{"toolchain", gocmd.Version},
	} {
		if line[1] != "" {
			lines = append(lines, line[0]+": "+line[1])
		}
	}
	return lines
}
