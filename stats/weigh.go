package stats

// Weighed is a verdict on an operation by two measures: what is typical of it, the fast
// moments of a process, and the mean of all that it did. The mean is what users pay, and
// the typical operation is what is measured well.
type Weighed struct {
	Verdict       Verdict
	Typical, Mean Verdict // of each by itself
}

// Weigh holds intervals of bad/good against a least effect, a share of good. Each interval
// holds with its own confidence, and the verdict is wrong about the mean, or about what
// is typical, no more often than the one that it rests on.
//
//   - Slower: the mean is; or typically it is, and the mean, as far as it is known, says
//     so, too.
//   - Mixed: the mean is slower and typical operations are faster, or these are slower and
//     the mean surely is not. Only the first is a regression, see [Weighed.Regression].
//   - Same and Faster promise both: one of them is so, and the other surely not slower. The
//     mean has the word where both are known.
//   - Unknown: everything else.
func Weigh(typical, mean Interval, minEffect float64) Weighed {
	low, high := 1-minEffect, 1+minEffect
	w := Weighed{Typical: judge(typical, low, high), Mean: judge(mean, low, high)}
	switch {
	case w.Mean == Slower && w.Typical == Faster,
		w.Typical == Slower && excludes(mean, low, high, Slower):
		w.Verdict = Mixed
	case w.Mean == Slower, w.Typical == Slower && mean.Mean > high:
		w.Verdict = Slower
	case typical.High < high && mean.High < high:
		if w.Verdict = w.Mean; w.Mean == Unknown {
			w.Verdict = w.Typical
		}
	}
	return w
}

// Regression reports whether the mean is slower, or may be where what is typical is.
func (w Weighed) Regression() bool {
	return w.Verdict == Slower || w.Verdict == Mixed && w.Mean == Slower
}
