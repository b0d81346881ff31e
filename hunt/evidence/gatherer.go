package evidence

import (
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Gatherer gathers it for the culprits of one hunt.
type Gatherer struct {
	sides.Pair
	Set      *revision.Set
	Sampler  *compare.Sampler
	Whole    *compare.Whole
	Recorder *profile.Recorder
	Prober   *layers.Prober
	Put      map[string]*prove.Composition // what was put back for a culprit, by its function

	waits change.Pair[*profile.Waits] // what both sides wait for, where that was recorded
	asked bool                        // for it
}
