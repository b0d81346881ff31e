package finder

import "github.com/pinpoint-go/pinpoint/stats"

// Kind says what a culprit is.
type Kind int

const (
	CallKind    Kind = iota // one call expression
	OwnCode                 // what a function does outside its calls
	AddedCall               // a call that only bad has
	RemovedCall             // a call that only good has
	Range                   // several calls or a whole function, of which no part is guilty alone
)

func (k Kind) String() string {
	switch k {
	case OwnCode:
		return "own-code"
	case AddedCall:
		return "added-call"
	case RemovedCall:
		return "removed-call"
	case Range:
		return "range"
	default:
		return "call"
	}
}

// Part is something measured in a layer: a region, the function's own code, or
// the function as a whole.
type Part struct {
	Layer  Layer
	Region Region // all calls of the layer when Own or Whole
	Own    bool
	Whole  bool // the calls and the own code together
	Delta  stats.Comparison
	Share  float64 // of the whole difference; 1 is all of it
}

// Culprit is an answer of the search.
type Culprit struct {
	Kind  Kind
	Chain []Part // one step per layer, from the inspected function down; the last is the culprit
	Also  []Part // other guilty calls that lead to the same code; their share is counted in
	Stop  Stop   // why it was not narrowed further
	// Confirmed says that the culprit, measured once more alone on fresh
	// processes, was slower again. Only a confirmed culprit is an accusation.
	Confirmed    bool
	Confirmation *stats.Comparison // nil when it was not measured again
}

// Last returns the step that names the culprit.
func (c Culprit) Last() Part { return c.Chain[len(c.Chain)-1] }

// Share returns the culprit's share of the whole difference.
func (c Culprit) Share() float64 { return c.Last().Share }

// Result is the outcome of a search.
type Result struct {
	// Verdict is the whole's, except that a guilty whole becomes unknown when
	// culprits were measured again and none was confirmed.
	Verdict  stats.Verdict
	Whole    stats.Comparison // the first reading of the inspected function
	Culprits []Culprit        // largest share first
	// Minor parts are slower, but by less than MinShare of the whole.
	Minor []Part
	// Undecided parts have an unknown verdict and an interval that reaches
	// MinShare: the answer may be incomplete without them.
	Undecided []Part
	// Conflicts are parts that were slower while the function around them, in
	// the same processes, was the same or faster (or, in the first comparison,
	// not found slower). They are never followed.
	Conflicts []Part
	// Unexplained is one minus the culprits' shares. It is negative when other
	// parts became faster.
	Unexplained   float64
	Comparisons   int // all that were begun: narrowing and confirming ones
	Confirmations int
	Layers        int // layers measured
	// Err is what ended the search after the whole was found guilty. The
	// culprits are then as far as it came, and those not confirmed before
	// stay so.
	Err error
}

// EventKind is the kind of an Event.
type EventKind int

const (
	Measuring  EventKind = iota // a comparison begins: Layer, On, Parts
	Measured                    // it ended: Reading, Shares
	Conflict                    // a part is slower and the whole is not: Part
	Dug                         // a call was entered: Layer is the one below
	Stopped                     // a call was not entered, or nothing was found below it: Part, Stop
	Confirming                  // a culprit is about to be measured again: Culprit
	Confirmed                   // it was slower again, or not: Culprit
	Failed                      // measuring or digging failed: Err
)

// Event tells how a search gets on. Fields not named with its kind are zero.
type Event struct {
	Kind    EventKind
	Layer   Layer
	On      Region
	Parts   []Region
	Reading Reading
	Shares  []float64 // of the whole difference, by part; NaN where it can't be told
	Part    Part
	Stop    Stop
	Culprit Culprit
	Err     error
}
