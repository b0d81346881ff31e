package layers

import "github.com/pinpoint-go/pinpoint/hunt/compare"

// Calls are the calls per operation of part id of a layer, on either side; false where it
// was not measured.
func (pr *Prober) Calls(f *Layer, id int) (good, bad float64, ok bool) {
	r, ok := pr.seen[f]
	if ok {
		good, bad = r.calls(id)
	}
	return good, bad, ok
}

// Gains are what each part of a layer gained, and the layer itself, in the unit of the
// samples; false where it was not measured.
func (pr *Prober) Gains(f *Layer) (parts []float64, whole float64, ok bool) {
	r, ok := pr.seen[f]
	if !ok {
		return nil, 0, false
	}
	gained := func(s series) float64 { return compare.Mean(s.bad) - compare.Mean(s.good) }
	for id := range f.Parts {
		parts = append(parts, gained(r.probe(id)))
	}
	return parts, gained(r.inspected()), true
}
