package finder

import (
	"context"
	"fmt"

	"github.com/pinpoint-go/pinpoint/stats"
)

// Region is the calls [From, To) of a layer.
type Region struct{ From, To int }

// Len returns the number of calls in r.
func (r Region) Len() int { return r.To - r.From }

func (r Region) String() string { return fmt.Sprintf("[%d,%d)", r.From, r.To) }

// Layer is one function and its aligned call expressions in evaluation order.
type Layer struct {
	Name  string // full name of the function; equal names are the same function
	Kind  LayerKind
	Calls []Call
}

func (l Layer) all() Region { return Region{0, len(l.Calls)} }

// LayerKind says what the parts of a layer are. The search treats them alike.
type LayerKind int

const (
	Calls    LayerKind = iota // call expressions of one function's body
	Dispatch                  // possible callees of one dynamic call
)

// Call is one call expression, or the pair of its twins in both revisions.
type Call struct {
	Name string // what to show
	Side Side
}

// Side says which revisions have a call.
type Side int

const (
	Both Side = iota
	GoodOnly
	BadOnly
)

// Reading is what one run of processes said about a region and its parts.
type Reading struct {
	Whole stats.Comparison   // the inspected function
	Parts []stats.Comparison // the parts asked for, in that order
	Own   *stats.Comparison  // whole minus all calls; nil unless all calls were on
}

// MeasureFunc runs both revisions with the calls of one region of a layer
// probed and compares the times of parts of it. All differences are in one
// unit, time per operation of the workload.
type MeasureFunc func(ctx context.Context, l Layer, on Region, parts []Region) (Reading, error)

// DigFunc returns the layer of the function that a call reaches, or says why
// there is none.
type DigFunc func(ctx context.Context, l Layer, call int) (*Layer, Stop, error)

// Stop says why a culprit was not narrowed further. Dig may give reasons of
// its own; they are shown as they are.
type Stop string

const (
	StopNone      Stop = ""
	StopDepth     Stop = "depth reached"
	StopExcluded  Stop = "excluded"
	StopNoSource  Stop = "no source"
	StopInspected Stop = "inspected before"
	StopShared    Stop = "explained by what was found below another call of it"
	StopOneSided  Stop = "only one revision has it" // nothing to hold what is below against
	StopSameCode  Stop = "same code below"
	StopNoPart    Stop = "no part of it is slower"         // by enough to matter
	StopConflict  Stop = "its parts contradict each other" // parts against whole, that is
	StopOwnCode   Stop = "own code"                        // nothing below to dig
	StopFailed    Stop = "measuring failed"
)
