package finder

import "github.com/pinpoint-go/pinpoint/stats"

// Evidence is what a reading of a share rests on.
type Evidence int

const (
	PutBack     Evidence = iota // good's code for this and for nothing else; of what only bad has: it was taken out
	PutBackWith                 // other code came along that it could be owed to
	Probed                      // only probes say so
)

func (e Evidence) String() string {
	return [...]string{"put back", "put back with others", "by probes"}[e]
}

// Acceptance is what a share says about what it was measured of.
type Acceptance int

const (
	Open         Acceptance = iota // it says neither yes nor no
	Confirms                       // put back and gone: most of the difference is its doing
	ConfirmsPart                   // surely a part of the difference is its doing, or that of one of these
	Refutes                        // it surely makes too little to be named
)

func (a Acceptance) String() string {
	return [...]string{"open", "confirmed", "partly", "refuted"}[a]
}

// TooMuch is the share of the whole difference above which an amount cannot be: what is
// surely more than all there is speaks of the measuring, or of good's code not doing in bad
// what it did in good. A search by halves looks for what else would explain it.
const TooMuch = 1.2

// Accept is the one table by which a share of the whole difference is believed: row by
// row, the first that fits. Limit is the share that is just worth naming, see [Limit].
//
//	evidence      share                               says
//	by probes     surely below the limit              refuted
//	by probes     any other                           open
//	any           surely above TooMuch                open
//	any           surely below the limit              refuted
//	put back      surely above it, at best most       confirmed
//	put back      surely above it                     partly
//	with others   surely above it                     partly
//	any           the limit is within the interval    open
func Accept(e Evidence, share stats.Interval, limit float64) Acceptance {
	above := share.Low > limit
	switch {
	case share.High < limit:
		return Refutes
	case e == Probed || share.Low > TooMuch || !above:
		return Open
	case e == PutBack && share.Mean > RecoversMost:
		return Confirms
	default:
		return ConfirmsPart
	}
}

// Limit is the share that code of which so much is expected must surely make to be
// named, and surely not make to be cleared: a fair part of that, but no less than is
// worth naming at all.
func Limit(expected, minShare float64) float64 { return max(minShare, RecoversLittle*expected) }
