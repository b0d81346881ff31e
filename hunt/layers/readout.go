package layers

import (
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
)

// Calls are the calls per operation of part id of a layer, on either side; false where it
// was not measured.
func (pr *Prober) Calls(f *Layer, id int) (good, bad float64, ok bool) {
	r, ok := pr.seen[f]
	if ok {
		good, bad = r.calls(id)
	}
	return good, bad, ok
}

// Called is how often a part is called, per operation.
type Called struct {
	Part      Part
	Good, Bad float64
}

// Called are the parts of a layer that are called, of a function's body or, for none, all; nil
// where calls were not counted.
func (pr *Prober) Called(f *Layer, in change.Functions) (list []Called) {
	r, ok := pr.seen[f]
	if !ok || pr.Sampler.Quantity.Profiled {
		return nil
	}
	for id, p := range f.Parts {
		if in != (change.Functions{}) && p.In != in {
			continue
		}
		if good, bad := r.calls(id); good > 0 || bad > 0 {
			list = append(list, Called{p, good, bad})
		}
	}
	return list
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
