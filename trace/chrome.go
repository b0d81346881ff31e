package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
)

// event is one of Chrome's trace events. Times are microseconds.
type event struct {
	Name  string            `json:"name"`
	Kind  Kind              `json:"cat,omitempty"`
	Type  string            `json:"ph"` // X: a span; M: what a line is called
	Began float64           `json:"ts"`
	Took  float64           `json:"dur"`
	Of    int               `json:"pid"`
	Line  int               `json:"tid"`
	Args  map[string]string `json:"args,omitempty"`
}

// mostLanes is more than anything goes on at the same time.
const mostLanes = 1000

// Write writes the spans so far as a trace that Perfetto opens.
func (r *Recorder) Write(w io.Writer) error {
	events := []event{{Name: "process_name", Type: "M", Of: 1, Args: map[string]string{"name": "pinpoint"}}}
	var lines []int
	for _, s := range r.Since(r.start) {
		line := 1 + mostLanes*slices.Index(kinds, s.Kind) + s.lane
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
			events = append(events, event{Name: "thread_name", Type: "M", Of: 1, Line: line, Args: map[string]string{"name": fmt.Sprintf("%s %d", s.Kind, s.lane+1)}})
		}
		events = append(events, event{
			Name: s.Name, Kind: s.Kind, Type: "X", Of: 1, Line: line,
			Began: micros(s.Began.Sub(r.start)), Took: micros(s.Took),
		})
	}
	return json.NewEncoder(w).Encode(map[string]any{"traceEvents": events, "displayTimeUnit": "ms"})
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
