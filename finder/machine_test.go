package finder

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/pinpoint-go/pinpoint/stats"
	"github.com/pinpoint-go/pinpoint/stats/noisy"
)

// What follows is a program of 16 calls a layer, and a search through its layers with the
// looks and error levels that layers are measured with (package hunt/layers). What a
// search accuses is suspected; that it is confirmed when good's code was put back, and
// how the whole is decided, is simulated with the code itself in package hunt/prove.

// place is a function of the program: which call of each layer leads to it.
type place string

func (p place) call(i int) place { return p + place('a'+rune(i)) }

// over reports whether q is p or lies below it.
func (p place) over(q place) bool { return len(q) >= len(p) && q[:len(p)] == p }

// fault is something that became slower.
type fault struct {
	shows  place   // whose own code takes longer
	cause  place   // whose code makes it so; mostly the same
	amount float64 // share of the good whole
}

const (
	width = 16 // calls a layer
	deep  = 3  // layers below the inspected function; functions there call nothing
)

// subject is a program with faults, whose whole takes 1 in good.
type subject struct {
	faults []fault
	spread float64 // how much slower everything is besides
	differ []place // functions whose source differs, in the order of the profile
	parts  map[place][]float64
	rng    *rand.Rand
}

// split returns what the calls of a function take of its time, and last what its
// own code does.
func (s *subject) split(p place) []float64 {
	if s.parts[p] == nil {
		parts, sum := make([]float64, width+1), 0.
		for i := range parts {
			parts[i] = 1 + s.rng.ExpFloat64()
			sum += parts[i]
		}
		for i := range parts {
			parts[i] /= sum
		}
		s.parts[p] = parts
	}
	return s.parts[p]
}

// good is the time of a function, all calls included.
func (s *subject) good(p place) float64 {
	t := 1.0
	for i := range p {
		t *= s.split(p[:i])[p[i]-'a']
	}
	return t
}

// slower is what a function gained, with the code of some put back.
func (s *subject) slower(p place, reverted []place) (d float64) {
	for _, f := range s.faults {
		if p.over(f.shows) && !slices.Contains(reverted, f.cause) {
			d += f.amount
		}
	}
	return d + s.spread*s.good(p)
}

// slowerItself is what the own code of a function gained.
func (s *subject) slowerItself(p place, good float64) (d float64) {
	for _, f := range s.faults {
		if f.shows == p {
			d += f.amount
		}
	}
	return d + s.spread*good
}

// layer is the function's calls; those at the bottom call nothing.
func (s *subject) layer(p place) Layer {
	l := Layer{Name: string("/" + p)}
	if len(p) < deep {
		l.Calls = calls[:]
	}
	return l
}

var calls = func() (c [width]Call) {
	for i := range c {
		c[i].Name = strconv.Itoa(i)
	}
	return c
}()

func placeOf(l Layer) place { return place(l.Name[1:]) }

// partScatter is the noise of each part of a process for itself, besides that of
// the machine, which is one factor on all of them.
const partScatter = 0.01

// layout is how much longer things take by where the linker put them: otherwise in
// each binary and in each order of its functions. The zero value is a linker that makes
// no difference.
type layout struct {
	spread  float64 // standard deviation of the logarithm
	factors map[string]float64
	rng     *rand.Rand
}

func newLayout(spread float64, seed uint64) layout {
	return layout{spread: spread, factors: make(map[string]float64), rng: rand.New(rand.NewPCG(seed, 1))}
}

// of is the factor of what in an order; 0 is the order that the linker has by itself.
func (l *layout) of(order int, what string) float64 {
	if l.spread == 0 {
		return 1
	}
	what = strconv.Itoa(order) + what
	if l.factors[what] == 0 {
		l.factors[what] = math.Exp(l.spread * l.rng.NormFloat64())
	}
	return l.factors[what]
}

// simulated is one hunt.
type simulated struct {
	subject
	run    *noisy.Run
	ledger stats.Ledger
	whole  stats.Comparison
	named  []name
	pairs  int
	bench  *columnPair

	inspected place // now
	layout    layout
	orders    int  // of functions, in which small differences must be; 0: the linker's own
	asLinked  bool // looks at no other orders
}

// name is an answer: a culprit of the search, or code that was proved guilty.
type name struct {
	function  place
	part      Part // zero where code was put back
	share     float64
	confirmed bool
	same      bool // the search went no further since the code below is the same
}

// As in package hunt.
const (
	alpha     = 0.01
	minEffect = 0.01
	minShare  = 0.1
	orders    = 8 // of functions, at first
	rounds    = 2 // pairs of each order at least
)

var (
	deciding  = stats.Looks(6, 384)
	searching = stats.Looks(6, 96)
)

func rule(alpha, whole float64) stats.Rule {
	return stats.Rule{Alpha: alpha, MinEffect: minEffect * whole, Test: stats.TestAuto}
}

// columnPair are the values of both sides, a column for each quantity.
type columnPair struct{ good, bad [][]float64 }

func (c *columnPair) reset(columns int) {
	for _, side := range []*[][]float64{&c.good, &c.bad} {
		for len(*side) < columns {
			*side = append(*side, make([]float64, 0, 384))
		}
		for i := range *side {
			(*side)[i] = (*side)[i][:0]
		}
	}
}

// compareWhole is hunt.compareWhole: the whole by what is steady in a process,
// and the mean of all its batches, which is noisier and may only accuse.
func (h *simulated) compareWhole() stats.Verdict {
	share := h.ledger.Open(stats.Whole, len(deciding), 2)
	good, bad := h.layout.of(0, "good"), h.layout.of(0, "bad")*(1+h.slower("", nil))
	h.bench.reset(2)
	var overall stats.Comparison
	for _, n := range deciding {
		for len(h.bench.good[0]) < n {
			g, b := h.run.Pair()
			g, b = g*good, b*bad
			h.bench.good[0], h.bench.bad[0] = append(h.bench.good[0], g), append(h.bench.bad[0], b)
			g, b = g*h.batches(), b*h.batches()
			h.bench.good[1], h.bench.bad[1] = append(h.bench.good[1], g), append(h.bench.bad[1], b)
		}
		r := rule(share, mean(h.bench.good[0]))
		if h.whole = r.Compare(h.bench.good[0], h.bench.bad[0]); h.whole.Verdict != stats.Unknown {
			break
		}
	}
	r := rule(share, mean(h.bench.good[1]))
	r.Test = stats.TestPaired
	overall = r.Compare(h.bench.good[1], h.bench.bad[1])
	h.pairs += len(h.bench.good[0])
	if h.whole.Verdict != stats.Slower && overall.Verdict == stats.Slower {
		h.whole = overall
	}
	if v := h.whole.Verdict; h.layout.spread > 0 && !h.asLinked && (v == stats.Slower || v == stats.Faster) {
		h.holdLayouts()
	}
	return h.whole.Verdict
}

// holdLayouts looks at the whole in other orders of functions, in which confirmations
// are run from then on.
func (h *simulated) holdLayouts() {
	h.orders = orders
	h.bench.reset(1)
	var layouts []int
	for o := range h.orders {
		for range max(rounds, h.whole.Good.N/orders) {
			layouts = append(layouts, o+1)
			h.pair("good", 1, "bad", 1+h.slower("", nil), o+1)
		}
	}
	h.pairs += len(h.bench.good[0])
	if over, err := stats.Grouped(h.bench.good[0], h.bench.bad[0], layouts, LayoutConfidence); err != nil || !h.whole.Verdict.Upheld(over.Ratio) {
		h.whole.Verdict = stats.Unknown
	}
}

// pair runs one of two binaries that have no probes, linked in an order.
func (h *simulated) pair(nameGood string, good float64, nameBad string, bad float64, order int) {
	g, b := h.run.Pair()
	h.bench.good[0] = append(h.bench.good[0], g*good*h.layout.of(order, nameGood))
	h.bench.bad[0] = append(h.bench.bad[0], b*bad*h.layout.of(order, nameBad))
}

// order is that of pair i, counted from 1; 0 is the linker's own.
func (h *simulated) order(i int) int {
	if h.orders == 0 {
		return 0
	}
	return i%h.orders + 1
}

func (h *simulated) layoutsOf(pairs int) (list []int) {
	for i := range pairs {
		if o := h.order(i); o > 0 {
			list = append(list, o)
		}
	}
	return list
}

// fewest is hunt.fewestFor.
func (h *simulated) fewest(looks []int) []int {
	for len(looks) > 0 && looks[0] < rounds*h.orders {
		looks = looks[1:]
	}
	return looks
}

// batches is how much longer the mean of all batches is than that of the steady
// ones.
func (h *simulated) batches() float64 { return 1 + 0.05*h.run.Rand.ExpFloat64() }

func mean(xs []float64) float64 {
	sum := 0.
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// search is the hunt's, by layers.
func (h *simulated) search() error {
	s := &Search{Narrow: Sweep, MinShare: minShare, Measure: h.measure(stats.Search), Confirm: h.measure(stats.Confirmation), Dig: h.dig, Known: h.whole}
	r, err := s.Run(context.Background(), h.layer(""))
	if err != nil {
		return err
	}
	anyConfirmed := slices.ContainsFunc(r.Culprits, func(c Culprit) bool { return c.Confirmed })
	for _, c := range r.Culprits {
		if c.Confirmed || !anyConfirmed {
			h.named = append(h.named, h.blame(c))
		}
	}
	return r.Err
}

// blame is hunt.blame.
func (h *simulated) blame(c Culprit) name {
	p := c.Last()
	n := name{part: p, share: c.Share(), confirmed: c.Confirmed, function: placeOf(p.Layer), same: c.Stop == StopSameCode}
	if c.Kind == CallKind && !n.same {
		n.function = n.function.call(p.Region.From)
	}
	return n
}

// dig goes no further where all the code below is the same.
func (h *simulated) dig(_ context.Context, l Layer, call int) (*Layer, Stop, error) {
	p := placeOf(l).call(call)
	if !slices.ContainsFunc(h.differ, p.over) {
		return nil, StopSameCode, nil
	}
	below := h.layer(p)
	return &below, StopNone, nil
}

// measure is hunt.measure.
func (h *simulated) measure(stage stats.Stage) MeasureFunc {
	return func(_ context.Context, l Layer, on Region, parts []Region) (Reading, error) {
		share, looks, enough := alpha, searching, h.settled
		if stage == stats.Confirmation {
			share, looks, enough = h.ledger.Open(stage, len(deciding), 1), deciding, Reading.Decided
		} else {
			orders := h.orders
			h.orders = 0 // a search is of the linker's own
			defer func() { h.orders = orders }()
		}
		h.bench.reset(len(parts) + 3)
		h.inspected = placeOf(l)
		costs := h.layOut(l, parts)
		var r Reading
		for _, n := range h.fewest(looks) {
			for i := len(h.bench.good[0]); i < n; i++ {
				g, b := h.run.Pair()
				c := costs[i%len(costs)]
				h.process(h.bench.good, c.good, g)
				h.process(h.bench.bad, c.bad, b)
			}
			if r = h.read(share, len(parts), on.Len() == len(l.Calls)); enough(r) {
				break
			}
		}
		h.pairs += len(h.bench.good[0])
		return r, nil
	}
}

// laidOut is what a layer's parts take in both binaries of an order.
type laidOut struct{ good, bad []float64 }

// layOut is what a layer's parts take by the layouts of its binaries, in each order.
func (h *simulated) layOut(l Layer, parts []Region) (list []laidOut) {
	for i := range max(1, h.orders) {
		good, bad := h.costs(placeOf(l), parts)
		if h.layout.spread > 0 {
			for k := range good {
				good[k] *= h.layout.of(h.order(i), fmt.Sprint("good", l.Name, k))
				bad[k] *= h.layout.of(h.order(i), fmt.Sprint("bad", l.Name, k))
			}
		}
		list = append(list, laidOut{good, bad})
	}
	return list
}

// costs are what a process takes undisturbed: the parts, what else the function
// calls, its own code, and all that is outside of it.
func (h *simulated) costs(p place, parts []Region) (good, bad []float64) {
	whole := h.good(p)
	own := whole
	ownBad := h.slowerItself(p, whole)
	var goodParts, badParts []float64
	restGood, restBad := whole, whole+h.slower(p, nil)
	if len(p) < deep {
		own *= h.split(p)[width]
		ownBad = h.slowerItself(p, own)
	}
	for _, r := range parts {
		g, d := 0., 0.
		for i := r.From; i < r.To; i++ {
			g += whole * h.split(p)[i]
			d += h.slower(p.call(i), nil)
		}
		goodParts, badParts = append(goodParts, g), append(badParts, g+d)
		restGood, restBad = restGood-g, restBad-g-d
	}
	outside := h.slower("", nil) - h.slower(p, nil)
	good = append(goodParts, restGood-own, own, 1-whole)
	bad = append(badParts, restBad-own-ownBad, own+ownBad, 1-whole+outside)
	return good, bad
}

// process appends what one process says: the parts, own code, the inspected
// function, and the operation.
func (h *simulated) process(columns [][]float64, costs []float64, factor float64) {
	n := len(costs) - 3
	function := 0.
	for i, c := range costs[:n] {
		t := h.noise(c * factor)
		columns[i] = append(columns[i], t)
		function += t
	}
	own := h.noise(costs[n+1] * factor)
	function += own + h.noise(costs[n]*factor)
	columns[n] = append(columns[n], own)
	columns[n+1] = append(columns[n+1], function)
	columns[n+2] = append(columns[n+2], function+h.noise(costs[n+2]*factor))
}

func (h *simulated) noise(t float64) float64 { return t * (1 + partScatter*h.run.Rand.NormFloat64()) }

// read is hunt.judge; nothing is lost to probes here.
func (h *simulated) read(share float64, parts int, all bool) Reading {
	b := h.bench
	r := rule(share, mean(b.good[parts+2]))
	layouts := h.layoutsOf(len(b.good[0]))
	compare := func(column int) stats.Comparison {
		good, bad := b.good[column], b.bad[column]
		return OverLayouts(r.Compare(good, bad), b.good[parts+2], good, bad, layouts)
	}
	reading := Reading{Whole: compare(parts + 1)}
	for i := range parts {
		reading.Parts = append(reading.Parts, compare(i))
	}
	if all {
		own := compare(parts)
		reading.Own = &own
	}
	return reading
}

// settled is hunt's. A whole that these few processes leave open is known from the
// comparison before.
func (h *simulated) settled(r Reading) bool {
	if r.Whole.Verdict == stats.Unknown && len(r.Whole.Warnings) == 0 && h.inspected == "" {
		r.Whole = AtSpeedOf(h.whole, r.Whole)
	}
	return r.Settled(minShare)
}
