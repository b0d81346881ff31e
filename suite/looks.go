package suite

import (
	"fmt"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// outOfTime is why a benchmark is not decided of which nothing is known.
const outOfTime = "the budget ended before it was compared"

// threshold is the p-value up to which a benchmark is a discovery, among all so
// far. It never falls while samples are added, so a discovery stays one.
func (r *run) threshold() float64 {
	var ps []float64
	for _, b := range r.benches {
		ps = append(ps, b.p)
	}
	n := discoveries(ps, r.opts.Hunt.Alpha)
	if n == 0 {
		return -1
	}
	return threshold(n, len(ps), r.opts.Hunt.Alpha)
}

// levelOfNext is the error level of one look at which a benchmark is a discovery besides those
// that there are.
func (r *run) levelOfNext() float64 {
	var ps []float64
	for _, b := range r.benches {
		ps = append(ps, b.p)
	}
	n := discoveries(ps, r.opts.Hunt.Alpha)
	return threshold(min(n+1, len(ps)), len(ps), r.opts.Hunt.Alpha) / float64(len(looks))
}

// nextLook is the number of pairs at the next look, 0 after the last.
func (b *bench) nextLook() int {
	if n := len(b.samples.looks); n < len(looks) {
		return looks[n]
	}
	return 0
}

// cost is how long the pairs up to a look will take, by the last ones, or by what the plan
// of the first says; 0 before that.
func (b *bench) cost(n int) time.Duration { return b.perPair * time.Duration(n-len(b.samples.good)) }

// outOfTime is the same of one whose first look was too dear.
func (b *bench) outOfTime() string {
	if b.perPair == 0 {
		return outOfTime
	}
	return fmt.Sprintf("%s: its first %d pairs take about %s", outOfTime, looks[0], text.Duration(float64(b.cost(looks[0]))))
}

// levelOfLook is the error level of one look of one benchmark by itself.
func (r *run) levelOfLook() float64 { return r.opts.Hunt.Alpha / float64(len(looks)) }
