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
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/report"
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

// Of is the layer that the finder speaks of.
func (pr *Prober) Of(l finder.Layer) *Layer { return pr.layers[l.Name] }

// pair is both sides, to do the same with.
func (pr *Prober) pair() change.Pair[*sides.Side] { return change.Pair[*sides.Side](pr.Pair) }
