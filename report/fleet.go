package report

import (
	"fmt"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Fleet is on what the pairs ran, where several machines did.
type Fleet struct {
	Workers int      `json:"workers"`          // most that there were at a time
	Gone    int      `json:"gone"`             // that were there, and not to the end
	Classes []string `json:"classes"`          // kinds of machines: processor, cores, system
	Rounds  int      `json:"rounds"`           // pairs, triples and calibrations that were asked for
	Done    int      `json:"done"`             // that have a result, which counts once; the others were not needed any more
	Again   int      `json:"again"`            // that were given out again, as they were late or may have been lost
	Moved   int      `json:"moved"`            // that went to another kind of machines, as none of theirs was left
	Foreign int      `json:"foreign"`          // results that counted nowhere
	Unused  []string `json:"unused,omitempty"` // why workers were not used, after they were held against themselves
}

// Text says it in a line.
func (f Fleet) Text() string {
	kinds := "1 class"
	if n := len(f.Classes); n != 1 {
		kinds = fmt.Sprintf("%d classes", n)
	}
	line := fmt.Sprintf("%s, %s, %d of %s done, %d given out again", text.Plural(f.Workers, "worker"), kinds, f.Done, text.Plural(f.Rounds, "round"), f.Again)
	if f.Gone > 0 {
		line += fmt.Sprintf("; %s gone before the end", text.Plural(f.Gone, "worker"))
	}
	for _, why := range f.Unused {
		line += "; not used: " + why
	}
	return line
}
