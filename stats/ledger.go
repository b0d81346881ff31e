package stats

// Stage is a part of a hunt that has a fixed fraction of its error.
type Stage int

const (
	Whole        Stage = iota // is there a regression at all
	Search                    // narrowing and digging
	Confirmation              // each culprit once more, on fresh processes
	stages
)

// fraction is what each stage may spend. Most goes to the two that accuse: a
// wrong turn of the search still has to get past the confirmation.
var fraction = [stages]float64{Whole: 0.4, Search: 0.2, Confirmation: 0.4}

// Ledger spends the error of a whole hunt over its comparisons, so that the
// chance of one wrong verdict anywhere stays at most Alpha, however long the
// hunt turns out to be.
//
// The k-th comparison of a stage gets 1/k(k+1) of the stage's fraction: the
// shares of any number of comparisons sum to less than one, early comparisons,
// which all hunts make, get most, and late ones still enough (the hundredth
// asks for a quantile 1.6 times that of the first). Inside a comparison the
// share is divided evenly by the number of verdicts (Bonferroni), since looks
// and parts of the same processes are not independent.
//
// The zero value of Alpha spends nothing, and no rule decides with nothing.
type Ledger struct {
	Alpha float64 // error of the whole hunt, in (0, 1)

	opened [stages]int // comparisons opened per stage
}

// Open begins the next comparison of a stage, which will be looked at up to
// looks times and reads parts verdicts at each look, and returns the alpha of
// one verdict at one look.
func (l *Ledger) Open(s Stage, looks, parts int) float64 {
	l.opened[s]++
	k := float64(l.opened[s])
	return l.Alpha * fraction[s] / (k * (k + 1)) / float64(max(1, looks)) / float64(max(1, parts))
}

// Spent returns the error that all comparisons opened so far may have caused
// together: the bound to print, never above Alpha.
func (l *Ledger) Spent() float64 {
	var sum float64
	for s, k := range l.opened {
		sum += l.Alpha * fraction[s] * (1 - 1/float64(k+1)) // the telescoped sum of 1/k(k+1)
	}
	return sum
}

// Looks returns the numbers of pairs after which a comparison of at most
// most pairs is looked at: first, and each time twice as many, most last. No
// doubling, no look: each costs its part of the share.
func Looks(first, most int) []int {
	if first < 2 {
		first = 2
	}
	var looks []int
	for n := first; n < most; n *= 2 {
		looks = append(looks, n)
	}
	return append(looks, max(first, most))
}
