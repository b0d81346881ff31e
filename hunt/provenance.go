package hunt

import "github.com/pinpoint-go/pinpoint/harness"

// recordHost puts into the report on what the hunt ran, and what its children were
// given.
func (h *hunt) recordHost() {
	p := &h.report.Provenance
	p.Host = harness.Host().Lines(h.set.Go().Version)
	p.Environment = harness.Environment(h.Bad.Unprobed, h.opts.Workload)
}
