package fleet

import (
	"maps"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/fleet/job"
	"github.com/pinpoint-go/pinpoint/stats"
)

// likeness holds what one worker says of a pair of programs against what the others of its
// kind say of the same. One that says otherwise is doubted: it is to hold itself against
// itself. It need not be wrong, and what it said counts.
type likeness struct {
	said   map[string]map[string][]float64 // log ratios by programs and kind, and by worker
	doubts map[string]int                  // by worker
}

// A worker is looked at each time it has so many rounds more, beside so many of others at
// least, of the last of each. It is doubted with so small a chance to be one of them, and
// where it is off by more than so much.
const (
	ownRounds   = 4
	remembered  = 64
	otherRounds = 8
	unlikely    = 1e-4
	off         = 0.02
)

// take takes a result in.
func (l *likeness) take(j job.Job, r job.Result) {
	if len(r.Done.Round.Runs) != 2 || r.Failure != nil {
		return
	}
	good, bad := r.Done.Round.Runs[0].Sample().Whole, r.Done.Round.Runs[1].Sample().Whole
	log := math.Log(bad / good)
	if math.IsNaN(log) || math.IsInf(log, 0) {
		return
	}
	if l.said == nil {
		l.said, l.doubts = make(map[string]map[string][]float64), make(map[string]int)
	}
	what := r.Done.Round.Machine + j.Programs[0].Digest + j.Programs[1].Digest + j.Task.Workload.Pattern
	if l.said[what] == nil {
		l.said[what] = make(map[string][]float64)
	}
	own := append(l.said[what][r.Worker], log)
	if len(own) > remembered {
		own = own[1:]
	}
	l.said[what][r.Worker] = own
	if len(own)%ownRounds != 0 {
		return
	}
	var others []float64
	for _, worker := range slices.Sorted(maps.Keys(l.said[what])) {
		if worker != r.Worker {
			others = append(others, l.said[what][worker]...)
		}
	}
	if len(others) < otherRounds {
		return
	}
	switch (stats.Rule{Alpha: unlikely, MinEffect: off}).Compare(others, own).Verdict {
	case stats.Slower, stats.Faster:
		l.doubts[r.Worker]++
		delete(l.said[what], r.Worker) // it has a new start
	}
}
