package fleet

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// Counts is what became of a hunt's jobs.
type Counts struct {
	Jobs    int // that there were
	Done    int // that have a result
	Foreign int // results that counted nowhere: of jobs that were done, or not ours, or not what was asked
	Again   int // that were published again, as they may have been lost
	Doubled int // that two workers were given
	Late    int // that another worker did, as the first had not come back when its lease ended
	Moved   int // that another kind of machines was given, as none of theirs was left
	Out     int // that are with the fleet now
	Workers int // most that were there at a time
	There   int // workers that are there now
	Gone    int // that were, and are not
}

// Counts is what became of the jobs so far.
func (f *Fleet) Counts() Counts {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.counts
	for _, k := range f.kinds {
		c.Doubled += k.queue.Doubled
		c.Out += k.queue.Out()
	}
	return c
}

// again is how many rounds were given out more than once, for whatever reason.
func (c Counts) again() int { return c.Again + c.Doubled + c.Late }

// worse reports whether something was lost since.
func (c Counts) worse(since Counts) bool {
	return c.Gone > since.Gone || c.Again+c.Late > since.Again+since.Late
}

// Live says in a phrase how it stands.
func (c Counts) Live() string {
	said := text.Plural(c.There, "worker")
	if c.Out > 0 {
		said += fmt.Sprintf(", %s given out", text.Plural(c.Out, "round"))
	}
	if n := c.again(); n > 0 {
		said += fmt.Sprintf(", %d again", n)
	}
	if c.Gone > 0 {
		said += fmt.Sprintf(", %s gone", text.Plural(c.Gone, "worker"))
	}
	return said
}

// Report is what the fleet was and did so far.
func (f *Fleet) Report() *report.Fleet {
	c := f.Counts()
	f.mu.Lock()
	defer f.mu.Unlock()
	r := &report.Fleet{
		Workers: c.Workers, Gone: c.Gone, Rounds: c.Jobs, Done: c.Done, Again: c.again(), Moved: c.Moved, Foreign: c.Foreign,
		Unused: slices.Sorted(maps.Values(f.unfit)),
	}
	for _, k := range f.kinds {
		r.Classes = append(r.Classes, k.machines.Describe())
	}
	return r
}
