// Package layers opens functions and times their call expressions in both revisions at
// once. It promises that parts that are compared are counterparts, that what is measured
// of a function is measured on the way by which the search came to it, and that what
// probes add is measured beside them and taken off; where that can't be had, the verdict
// is taken back.
//
// A layer is one function's call expressions, aligned over the revisions (thesis,
// chapter 4). Good and bad are built once each with a probe at every part; which probes
// are on is chosen when the binary runs (see instrument), so that every region of the
// layer is measured with the same two binaries.
package layers

import (
	"context"
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Prober opens layers, builds them with probes and reads them.
type Prober struct {
	sides.Pair
	Change   *change.Change
	Whole    *compare.Whole
	Sampler  *compare.Sampler
	Orders   *compare.Orders
	Recorder *profile.Recorder
	Parallel bool                   // the timed body is handed to RunParallel and runs on many goroutines
	Exclude  func(name string) bool // functions not to dig into; nil: none

	Allocated profile.Allocated // as far as it was recorded
	Opened    int               // layers that were built
	Compared  int               // readings besides the search's
	Refused   []report.Refused  // what can't be probed

	layers map[string]*Layer   // by what the finder knows them by
	seen   map[*Layer]readings // the last samples of each
	last   *Layer              // the last one measured that is a function
}

// New is a prober that has opened nothing.
func New(p Prober) *Prober {
	p.layers, p.seen = make(map[string]*Layer), make(map[*Layer]readings)
	return &p
}

// Search is the search through layers, with what it asks.
func (pr *Prober) Search(narrow finder.Narrow, depth int) *finder.Search {
	return &finder.Search{
		Narrow: narrow, Depth: depth, MinShare: finder.DefaultMinShare,
		Measure: pr.measure(stats.Search), Confirm: pr.measure(stats.Confirmation), Dig: pr.dig,
	}
}

// Open is the layer of a function, ready to be searched. What a side refuses to have
// probed shows when it is built, and the finder must see the layer without it.
// aroundBody says that it is not the timed body, and so is timed around its own.
func (pr *Prober) Open(ctx context.Context, code change.Functions, aroundBody bool) (finder.Layer, error) {
	f, err := pr.Align(nil, 0, code)
	if err != nil {
		return finder.Layer{}, err
	}
	f.body = aroundBody
	pr.layers[f.Name] = f
	if err := pr.build(ctx, f); err != nil {
		return finder.Layer{}, err
	}
	return pr.layer(f), nil
}

// Of is the layer that the finder speaks of.
func (pr *Prober) Of(l finder.Layer) *Layer { return pr.layers[l.Name] }

// pair is both sides, to do the same with.
func (pr *Prober) pair() change.Pair[*sides.Side] { return change.Pair[*sides.Side](pr.Pair) }

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

// Below is the layer that was opened for a part of another; nil if none was.
func (pr *Prober) Below(f *Layer, id int) *Layer {
	for _, g := range pr.layers {
		if g.Parent == f && g.Via == id {
			return g
		}
	}
	return nil
}

// ComesRound reports whether a part of a layer leads back to a function that the
// chain to the layer goes through. Its time is then all that the cycle takes, and
// says nothing about that function.
func (pr *Prober) ComesRound(f *Layer, p Part) bool {
	return slices.ContainsFunc(pr.Callees(p), f.DescendsFrom)
}

// Shown is the name of the layer's function in bad, the code in front of the reader.
func (f *Layer) Shown() string {
	if f.Dispatch() {
		return f.Name
	}
	return f.Code.Bad.Name
}
