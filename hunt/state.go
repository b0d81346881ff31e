package hunt

import (
	"time"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
)

// Options says what to hunt and how.
type Options = setup.Options

// hunt is one search under way.
type hunt struct {
	*setup.Job
	idle         string                        // why the workload runs nothing of what differs; "": it may
	whole        *compare.Whole                // of the unprobed pair
	between      *change.Change                // what lies between the revisions; nil: not asked yet
	lab          *prove.Lab                    // where what differs is put back; nil: not asked yet
	notSource    bool                          // all that differs was put back, and changed nothing
	compositions map[string]*prove.Composition // what was put back for a culprit, by its function
	announced    announced                     // what Options.Named was told of
	recorder     *profile.Recorder             // from when it is known what is timed
	prober       *layers.Prober                // as long
}

// announced is a culprit that was told of before all was known of it.
type announced struct {
	function string
	after    time.Duration
	latest   time.Duration // after which one was proved; what follows is evidence
}

// begin is a hunt of which nothing is known yet.
func begin(opts Options) (*hunt, error) {
	j, err := setup.New(opts)
	if err != nil {
		return nil, err
	}
	return &hunt{Job: j, whole: &compare.Whole{Sampler: j.Sampler}, compositions: make(map[string]*prove.Composition)}, nil
}

// change is what lies between the revisions, worked out once.
func (h *hunt) change() *change.Change {
	if h.between == nil {
		h.between = change.Between(h.Good.Prog, h.Bad.Prog)
	}
	return h.between
}
