package stats

// Test says what decides.
type Test int

const (
	// TestWelch decides by the difference of means. The paired interval
	// objects, and makes the verdict Unknown, when it excludes what Welch
	// claims; that happens when a few wild values carry the means.
	TestWelch Test = iota
	// TestPaired decides by the paired interval of ratios. Values that have no
	// ratio (a call that good doesn't have) are still decided by Welch.
	TestPaired
	// TestRank decides by Wilcoxon's signed ranks of the logarithms of the pairs'
	// ratios, or of their differences where a value has no ratio, such as the time
	// of a call that one side doesn't make; where speed drifts, ratios are the
	// steadier.
	//
	// It asks one thing only: that a log ratio falls as often above its center as
	// the same distance below it. Where good and bad run back to back in balanced
	// order that is so when they are equally fast, whatever the machine does to
	// both; no value, however wild, weighs more than its rank. Two prices are paid.
	// What happens in few processes only moves the mean and not the center. And n
	// pairs can't be surer than 1 in 2^n: it takes 8 for 99 %, 15 for 1 in 10000,
	// and 18 for 99.999 %.
	TestRank
	// TestAuto lets Welch and the ranks decide, each with half of Alpha: means
	// settle a large difference with a few pairs, ranks a small one that slow
	// processes and drift would hide from means for ever. Whichever is first
	// decides, and the other may object: where it claims something else, or its
	// interval excludes the claim, the verdict is Unknown. This is what hunts
	// should use.
	TestAuto
)

// Rule turns samples into a verdict. Null hypotheses: Slower and Faster reject
// that the difference is at most MinEffect; Same rejects that it is at least
// MinEffect. Each is wrong with probability at most Alpha.
//
// For ratios, MinEffect is divided by the mean of the good values: a MinEffect
// that is a share of that mean is the same share of a ratio.
type Rule struct {
	Alpha     float64 // error probability of one verdict, in (0, 1)
	MinEffect float64 // smallest difference that counts, in the unit of the values
	Test      Test
}

// Comparison is one good sample held against one bad one.
type Comparison struct {
	Good, Bad Summary
	// Diff is mean(bad)-mean(good) with Welch's interval, in the unit of the
	// values. Where ranks are asked, it is what their ratio makes of mean(good)
	// if they decided, or if nothing or both did and their interval is narrower.
	Diff Interval
	// Ratio is the geometric mean of bad/good over pairs or, where ranks are
	// asked and there are pairs enough for them, the center of these ratios with
	// its interval. NaN where a value is not above zero.
	Ratio      Interval
	Confidence float64 // of each interval, 1-Alpha; under TestAuto, that both hold
	Verdict    Verdict
	By         Test     // what decided: TestWelch, TestPaired, TestRank, or TestAuto for both or neither
	Warnings   []string // what keeps the numbers from meaning what they seem to
	// Need estimates how many pairs in all would settle an Unknown, with four
	// chances in five, if the true difference and spread are those seen. 0
	// means that it can't be told, or that pairs and means disagree.
	Need int
}

func (r Rule) asksRanks() bool { return r.Test == TestRank || r.Test == TestAuto }

// pairs are the values of both sides and, if each has one, the logarithms of
// their ratios.
type pairs struct{ good, bad, logs []float64 }

// ratioBounds are MinEffect on the scale of ratios.
func (r Rule) ratioBounds(good float64) (low, high float64) {
	effect := r.MinEffect / good
	return 1 - effect, 1 + effect
}
