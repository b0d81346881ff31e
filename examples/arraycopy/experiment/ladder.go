package main

import (
	"math"

	"github.com/pinpoint-go/pinpoint/stats"
)

// The Scala Benchmarking Suite decides on a ladder (thesis, 2.3, 3.1 and 3.4):
// whether sides differ is decided at the highest confidence; which interval is
// shown is a matter of how far down the reader is willing to go.
//
// It is right for what SBS did with it: a handful of quiet series, a reader who
// wants one familiar number, and no error to be bounded over a search. It knows
// no minimum effect, so that with values enough every layout of the binary is a
// difference; it knows no pairs, so that drift between the sides is one; and a
// series that was measured again until it looked steady was selected. A hunt
// uses a [stats.Rule].

// rungs are the levels of SBS, from the top.
var rungs = []float64{0.99, 0.95, 0.90}

// precision is the widest acceptable interval of a mean, as a share of it.
const precision = 0.02

// climb returns the interval of mean(bad)-mean(good), its confidence, and whether
// it is a difference. That is decided at the top. If it is one, the interval is that
// of the bottom; it would not do to look for a difference further and further down.
func climb(good, bad []float64) (iv stats.Interval, confidence float64, differ bool, err error) {
	confidence = rungs[0]
	iv, err = stats.Welch(good, bad, confidence)
	if err != nil || iv.Low <= 0 && 0 <= iv.High {
		return iv, confidence, false, err
	}
	confidence = rungs[len(rungs)-1]
	iv, err = stats.Welch(good, bad, confidence)
	return iv, confidence, true, err
}

// precise says whether the mean of a series is known well enough at any rung.
func precise(series []float64) bool {
	iv := stats.Summarize(series).Interval(rungs[len(rungs)-1])
	return iv.High-iv.Low <= precision*math.Abs(iv.Mean)
}
