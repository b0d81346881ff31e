package hunt

import (
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
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

// campaign is the raw record of a campaign.
func campaign(what string, pairs []harness.Pair, good, bad []float64) report.Campaign {
	c := report.Campaign{What: what, Good: good, Bad: bad}
	var sum harness.Disturbance
	for _, p := range pairs {
		c.GoodFirst = append(c.GoodFirst, p.GoodFirst)
		c.Disturbed.Rates = append(c.Disturbed.Rates, p.Disturbed.Rate())
		sum = sum.Plus(p.Disturbed)
	}
	c.Disturbed.CPU, c.Disturbed.Waited, c.Disturbed.Involuntary = sum.CPU.Seconds(), sum.Waited.Seconds(), sum.Involuntary
	c.Disturbed.Delay, c.Disturbed.Foreign, c.Disturbed.Stolen = sum.Delay.Seconds(), sum.Foreign.Seconds(), sum.Stolen.Seconds()
	return c
}
