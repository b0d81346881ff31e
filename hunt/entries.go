package hunt

import (
	"fmt"

	"github.com/pinpoint-go/pinpoint/instrument"
)

// countEntries lays counting functions over a side for the metric of calls: all
// those of the main module.
func (h *hunt) countEntries(s *side, laid map[string][]byte) error {
	if h.sampler.Quantity.Meter != instrument.MeterCalls {
		return nil
	}
	for _, pkg := range s.prog.Packages() {
		if pkg.Module == nil || !pkg.Module.Main {
			continue
		}
		for _, name := range pkg.GoFiles {
			src, ok := laid[name]
			if !ok {
				src = s.prog.Contents(name)
			}
			if src == nil { // not read: cgo made another file of it
				continue
			}
			counted, err := instrument.CountEntries(name, src)
			if err != nil {
				return fmt.Errorf("%s: %w", s.label, err)
			}
			laid[name] = counted
		}
	}
	return nil
}
