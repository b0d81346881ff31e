package layers

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// series are the samples of one quantity on both sides, in ns per operation,
// paired by index.
type series struct{ good, bad []float64 }

// minus is what remains of s without t, sample by sample.
func (s series) minus(t series) series {
	diff := func(a, b []float64) []float64 {
		out := make([]float64, len(a))
		for i := range a {
			out[i] = a[i] - b[i]
		}
		return out
	}
	return series{diff(s.good, t.good), diff(s.bad, t.bad)}
}

// sample is what one process says of a frame, per operation.
//
// What probes cost depends on the code around them: in the demo, 4,000 of them cost
// good 71 µs and bad, where they run in the shadow of loads that miss the caches, 17.
// So the cost is no constant that could be calibrated elsewhere. Batches with and
// without them alternate in one process (see masks), and a part is what its probes
// measured without what they added.
type sample struct {
	off, on   float64         // the operation without probes, and with the most of them
	inspected float64         // the frame's function
	parts     []harness.PerOp // by probe ID, without what the probes cost
	added     []float64       // what the probes of a part's mask added
	weight    []float64       // the part's share of that: its own probes' and those of what lies within it
	nominal   []float64       // what the probes of each part cost by their calibration
}

// readings are the samples of a frame, paired by index.
type readings struct {
	frame     *Layer
	good, bad []sample
	layouts   []int // of the pairs; nil if all had one
	alternate bool  // batches with and without probes alternated; if not, the cost is that of the calibration
}

// masks say which probes are on, in which batches.
type masks struct {
	on     [][]int // of the first mask none that measures a part or the frame's function, where there are several
	around int     // the mask under which the frame's function is measured without its parts; 0: it is the operation
	of     []int   // under which each part is read, by its ID; the last where it has none
}

// under is the mask under which a part is read.
func (m masks) under(id int) int {
	if id < len(m.of) {
		return m.of[id]
	}
	return len(m.on) - 1
}

// masks of a region: probes of parts that exclude each other are on together, and what
// they add is divided by their calls.
func (pr *Prober) masks(f *Layer, on finder.Region) masks {
	all := f.switches(on)
	none := []int{f.outermost()} // which costs nothing to speak of
	switch {
	case !pr.alternates():
		return masks{on: [][]int{all}}
	case f.nested && f.divided != nil:
		return f.apart(none)
	case f.isOperation() || f.nested:
		return masks{on: [][]int{none, all}}
	}
	return masks{on: [][]int{none, f.switches(finder.Region{}), all}, around: 1}
}

// alternates says whether batches can have probes in turn. A test or program has one
// batch, and what is counted is not made more by probes.
func (pr *Prober) alternates() bool {
	return pr.Sampler.Workload.Kind == harness.Bench && pr.Sampler.Plan.Batches > 1 && !pr.Sampler.Quantity.Counts()
}

// apart are masks for parts that may lie within each other: those that cost next to
// nothing are on together, each other one alone with its gates.
func (f *Layer) apart(none []int) masks {
	m := masks{on: [][]int{none}, of: make([]int, len(f.Parts))}
	for _, ids := range f.divided {
		on := slices.Clone(none)
		for _, id := range ids {
			m.of[id] = len(m.on)
			for at := id; at >= 0; at = f.gateOf(at) {
				if !slices.Contains(on, at) {
					on = append(on, at)
				}
			}
		}
		m.on = append(m.on, on)
	}
	return m
}

const (
	mostApart  = 6    // parts that have a mask of their own
	lightShare = 0.01 // of an operation's time, which probes that are on together may cost
)

// divide finds the parts of a nested frame whose probes cost too much to be on together
// with others, by one pair. It compares nothing.
func (pr *Prober) divide(ctx context.Context, f *Layer) error {
	if f.divided != nil || !pr.alternates() {
		return nil
	}
	all := finder.Region{To: len(f.Parts)}
	pairs, err := pr.Sampler.Pairs(ctx, "trying the probes in "+f.Name, pr.Sampler.Campaign(f.built.Good, f.built.Bad), pr.masks(f, all).on, 0, 1)
	if err != nil {
		return err
	}
	r := pr.read(f, pairs, pr.masks(f, all))
	cost := make([]float64, len(f.Parts))
	var ids []int
	for id := range f.Parts {
		cost[id] = max(r.nominal(finder.Region{From: id, To: id + 1}))
		ids = append(ids, id)
	}
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(cost[a], cost[b]) })
	op := r.operation()
	may, light := lightShare*min(compare.Mean(op.good), compare.Mean(op.bad)), 0
	for sum := 0.0; light < len(ids); light++ {
		if sum += cost[ids[light]]; sum > may && len(ids)-light <= mostApart {
			break
		}
	}
	f.divided = [][]int{}
	if light > 0 {
		f.divided = append(f.divided, ids[:light])
	}
	for _, id := range ids[light:] {
		f.divided = append(f.divided, []int{id})
	}
	return nil
}

// read takes the samples of pairs that were run with these masks.
func (pr *Prober) read(f *Layer, pairs []harness.Pair, m masks) readings {
	r := readings{frame: f, layouts: compare.LayoutsOf(pairs), alternate: len(m.on) > 1}
	for _, p := range pairs {
		var good, bad []harness.Sample // by mask
		for mask := range m.on {
			g, b := pr.Sampler.Matched(p.Under(mask))
			good, bad = append(good, g), append(bad, b)
		}
		r.good = append(r.good, f.sample(good, m, p.Good.Clock))
		r.bad = append(r.bad, f.sample(bad, m, p.Bad.Clock))
	}
	return r
}

// sample makes one of a process, as it was under each mask.
func (f *Layer) sample(under []harness.Sample, m masks, clock instrument.Clock) sample {
	n := len(under[len(under)-1].Parts)
	s := sample{parts: make([]harness.PerOp, n), added: make([]float64, n), weight: make([]float64, n), nominal: make([]float64, n)}
	s.off, s.inspected = f.operation(under[0]), f.operation(under[0])
	switch {
	case m.around > 0:
		s.inspected = under[m.around].Parts[f.enclosing()].NS - (f.operation(under[m.around]) - s.off)
	case !f.isOperation() && !f.nested && f.enclosing() < n:
		s.inspected = own(under[0].Parts[f.enclosing()], clock)
	}
	for _, u := range under {
		s.on = max(s.on, f.operation(u))
	}
	for id := range n {
		mask := m.under(id)
		p := under[mask].Parts[id]
		s.parts[id] = p
		s.nominal[id] = p.Calls * (clock.PairCost + clock.OutsideCost)
		switch {
		case len(under) == 1:
			s.parts[id].NS = own(p, clock)
			continue
		case id >= len(f.Parts):
			continue
		case m.around > 0:
			s.added[id] = under[mask].Parts[f.enclosing()].NS - under[m.around].Parts[f.enclosing()].NS
		default:
			s.added[id] = f.operation(under[mask]) - s.off
		}
		calls, its := 0.0, 0.0
		for _, on := range m.on[mask] {
			if on < len(f.Parts) {
				n := under[mask].Parts[on].Calls
				if calls += n; f.within(on, id) {
					its += n
				}
			}
		}
		if calls > 0 {
			s.weight[id] = its / calls
		}
		s.parts[id].NS -= s.weight[id] * s.added[id]
	}
	return s
}

// within says whether what a part's probes cost is time of another: of its own and, in a
// chain, of every step above it.
func (f *Layer) within(id, of int) bool {
	return id == of || f.nested && f.Parts[id].depth > f.Parts[of].depth
}

// own is what a probe measured without what it costs by its calibration.
func own(p harness.PerOp, clock instrument.Clock) float64 {
	return max(0, p.NS-p.Calls*clock.PairCost)
}

// operation is the time of the whole operation: of the goroutines that run it,
// where there are several.
func (f *Layer) operation(s harness.Sample) float64 {
	if f.root().parallel && f.outermost() < len(s.Parts) {
		return s.Parts[f.outermost()].NS
	}
	return s.Whole
}

// of is the series of a quantity.
func (r readings) of(quantity func(sample) float64) series {
	values := func(samples []sample) []float64 {
		out := make([]float64, len(samples))
		for i, s := range samples {
			out[i] = quantity(s)
		}
		return out
	}
	return series{values(r.good), values(r.bad)}
}

// operation is the time of the whole operation, without probes where these alternate.
func (r readings) operation() series { return r.of(func(s sample) float64 { return s.off }) }

// probed is the time of the operation with all probes on.
func (r readings) probed() series { return r.of(func(s sample) float64 { return s.on }) }

// inspected is the time of the frame's function.
func (r readings) inspected() series { return r.of(func(s sample) float64 { return s.inspected }) }

// probe is the time of one probe.
func (r readings) probe(id int) series { return r.region(finder.Region{From: id, To: id + 1}) }

// region is the time of a region: the sum of its calls.
func (r readings) region(g finder.Region) series {
	return r.of(func(s sample) (sum float64) {
		for _, p := range s.parts[g.From:g.To] {
			sum += p.NS
		}
		return sum
	})
}

// Calls are the calls per operation of one probe, the mean over processes.
func (r readings) calls(id int) (good, bad float64) {
	c := r.of(func(s sample) float64 { return s.parts[id].Calls })
	return compare.Mean(c.good), compare.Mean(c.bad)
}

// probeError is how far off the cost of a probe may be, as a share of it: what a
// probe costs depends on the code around it.
const probeError = 0.75

// nominal is what the probes of a region cost an operation by their calibration.
func (r readings) nominal(g finder.Region) (good, bad float64) {
	c := r.of(func(s sample) (sum float64) {
		for _, ns := range s.nominal[g.From:g.To] {
			sum += ns
		}
		return sum
	})
	return compare.Mean(c.good), compare.Mean(c.bad)
}

// unsure is by how much the time of a region may be off by what the probes cost. Where
// batches alternate, what all of them cost is measured, and only how it is divided
// between regions is not.
func (r readings) unsure(g finder.Region) float64 {
	if !r.alternate {
		return probeError * max(r.nominal(g))
	}
	c := r.of(func(s sample) float64 {
		weight, added := 0.0, 0.0
		for id := g.From; id < g.To; id++ {
			weight += s.weight[id]
			added = max(added, math.Abs(s.added[id]))
		}
		return added * weight * max(0, 1-weight)
	})
	return probeError * max(compare.Mean(c.good), compare.Mean(c.bad))
}
