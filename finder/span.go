package finder

import "github.com/pinpoint-go/pinpoint/stats"

// reading is the share that is gone with a set put back.
type reading struct {
	stats.Interval
	set    []int
	limit  float64 // that it was held against
	cannot bool
}

// tells reports whether to ask again would not tell more about a limit.
func (r reading) tells(limit float64) bool {
	return r.cannot || limit < r.Low || limit > r.High || limit == r.limit
}

// span is two closed sets, one within the other, and what is gone with each put back.
type span struct {
	low, high []int
	at, to    reading
}

// step is the share that goes between the sets.
func (s span) step() float64 { return s.to.Mean - s.at.Mean }

func (s span) elements() []int { return minus(s.high, s.low) }

func (s span) strictlyHolds(set []int) bool {
	return within(s.low, set) && within(set, s.high) && len(set) > len(s.low) && len(set) < len(s.high)
}
