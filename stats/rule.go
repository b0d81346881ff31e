package stats

import (
	"fmt"
	"strings"
)

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
	// TestPairs lets the paired interval and the ranks decide, each with half of
	// Alpha: what accuses is decided so, since what drifts or lasts longer than a
	// pair is not in it. Whichever is first decides, and the other may object. The
	// ranks' center says nothing of what happens in few processes; so Same and
	// Faster, which promise something, need the paired interval to be below
	// MinEffect, too. Values that have no ratio are decided as by TestAuto. With
	// fewer than [FirstPairs] pairs only large differences are decided.
	TestPairs
)

// FirstPairs is the number of pairs after which [TestPairs] decides what is not large:
// with 5, Student's quantile at 1 in 10000 is twice that with 8, and ranks can't be surer
// than 97 %.
const FirstPairs = 8

// TestNames are what [TestNamed] knows.
var TestNames = []string{"auto", "welch", "paired", "rank"}

// TestNamed is the test that a user calls name.
func TestNamed(name string) (Test, error) {
	for i, t := range []Test{TestAuto, TestWelch, TestPaired, TestRank} {
		if TestNames[i] == name {
			return t, nil
		}
	}
	return 0, fmt.Errorf("no statistic is called %q: choose one of %s", name, strings.Join(TestNames, ", "))
}

// Accusing is the test by which something is accused where a user asked for t.
func (t Test) Accusing() Test {
	if t == TestAuto {
		return TestPairs
	}
	return t
}

// Narrowing is the test by which a search goes on where a user asked for t: a wrong turn
// ends before anything is accused, and Welch's takes the fewest pairs to make one.
func (t Test) Narrowing() Test {
	if t == TestAuto {
		return TestWelch
	}
	return t
}

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
	// Under TestPairs it is what Ratio makes of mean(good).
	Diff Interval
	// Ratio is the geometric mean of bad/good over pairs or, where ranks are
	// asked and there are pairs enough for them, the center of these ratios with
	// its interval; under TestPairs that which decided, or the narrower one. NaN where
	// a value is not above zero.
	Ratio      Interval
	Confidence float64 // of each interval, 1-Alpha; under TestAuto and TestPairs, that both hold
	Verdict    Verdict
	By         Test     // what decided: TestWelch, TestPaired, TestRank, or TestAuto or TestPairs for both or neither
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
