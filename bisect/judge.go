package bisect

import (
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// Samples are what pairs of processes gave, one of good and one of a commit back
// to back: Good[i] and Commit[i] are of one pair. Any unit, larger is slower.
type Samples struct {
	Good   []float64 `json:"good"`
	Commit []float64 `json:"commit"`
}

// Pairs is the number of pairs.
func (s Samples) Pairs() int { return len(s.Commit) }

func (s Samples) and(t Samples) Samples {
	return Samples{slices.Concat(s.Good, t.Good), slices.Concat(s.Commit, t.Commit)}
}

// Ends is what the comparison of good and bad gave: what steps are held against.
type Ends struct {
	stats.Comparison
	Difference float64 // how much slower bad is, as a share of good: 0.5 takes half as long again
	// Mixed says that too many processes of one end lie on the other's side of
	// half the difference: then only means can tell the ends apart.
	Mixed bool
}

// mixedFrom is the share of processes on the wrong side of half the difference
// from which an end is mixed.
const mixedFrom = 1.0 / 6

// judgeEnds compares the ends at one look.
func judgeEnds(s Samples, alpha, minEffect float64, test stats.Test) Ends {
	rule := stats.Rule{Alpha: alpha, MinEffect: minEffect * stats.Summarize(s.Good).Mean, Test: test}
	e := Ends{Comparison: rule.Compare(s.Good, s.Commit)}
	e.Difference = e.Diff.Mean / e.Good.Mean
	if test != stats.TestWelch && e.Ratio.Mean > 0 {
		e.Difference = e.Ratio.Mean - 1
	}
	if e.Verdict == stats.Slower {
		fast, _ := e.sides(s)
		half, middle, slow := e.half(), median(s.Good), 0
		for _, x := range s.Good {
			if x > half*middle {
				slow++
			}
		}
		e.Mixed = float64(max(fast, slow)) > mixedFrom*float64(s.Pairs())
	}
	return e
}

// sharp says whether the difference is known well enough for half of it to lie
// below bad, whatever the difference truly is.
func (e Ends) sharp() bool { return e.Diff.Low > e.Diff.Mean/2 }

// half is the level that steps are held against, in terms of good.
func (e Ends) half() float64 { return 1 + e.Difference/2 }

// sides counts the processes of a commit that are on good's side of half the
// difference and on bad's: both by the process that they ran beside and by good's
// as a whole. What only one of the two says may be a disturbance of the machine.
func (e Ends) sides(s Samples) (fast, slow int) {
	half, middle := e.half(), median(s.Good)
	for i, x := range s.Commit {
		switch {
		case x < half*middle && x < half*s.Good[i]:
			fast++
		case x > half*middle && x > half*s.Good[i]:
			slow++
		}
	}
	return fast, slow
}

// Level is where a commit lies between the ends, with its interval: 0 is good's
// level and 1 bad's.
type Level struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// judge decides a commit at one look; Skip is not decided yet. Good and Bad are
// each wrong with at most the probability alpha, which is halved between the mean
// and the count of processes.
//
// For the mean good is scaled to half the difference, so that what is not known
// about good counts, too: where bad is ten times as slow, five times.
//
// strict is for what the answer rests on. Six processes that happen to be alike
// say nothing about the seventh if the commit is erratic, and the interval of
// their mean doesn't know. So fewer than half of the processes must be on the
// other side, by their number alone.
func (e Ends) judge(s Samples, alpha float64, test stats.Test, strict bool) (Mark, Level) {
	scaled := make([]float64, len(s.Good))
	for i, x := range s.Good {
		scaled[i] = e.half() * x
	}
	c := stats.Rule{Alpha: alpha / 2, Test: test}.Compare(scaled, s.Commit)
	level := e.level(c, s, test)
	mark := map[stats.Verdict]Mark{stats.Slower: Bad, stats.Faster: Good}[c.Verdict]
	if e.Mixed {
		return orSkip(mark), level
	}
	fast, slow := e.sides(s)
	n := s.Pairs()
	seldom := func(k int) bool { return atMost(k, n, 0.5) <= alpha/2 }
	often := func(k int) bool { return atLeast(k, n, mixedFrom) <= alpha/2 }
	switch {
	case mark == Bad && (often(fast) || strict && !seldom(n-slow)):
		mark = Skip
	case mark == Good && strict && !seldom(n-fast):
		mark = Skip
	}
	if mark != Good && often(fast) && often(slow) {
		mark = Erratic
	}
	return orSkip(mark), level
}

// notSlow says that a commit which the mean leaves undecided is certainly not
// always slow: more of its processes are near good than may be of a slow commit.
// Near is within a quarter of the difference, for a commit that lies in the middle,
// each process of it, is half slow and not erratic.
func (e Ends) notSlow(s Samples, alpha float64) bool {
	if e.Mixed {
		return false
	}
	quarter := Ends{Difference: e.Difference / 2}
	fast, _ := quarter.sides(s)
	return atLeast(fast, s.Pairs(), mixedFrom) <= alpha
}

func orSkip(m Mark) Mark {
	if m == "" {
		return Skip
	}
	return m
}

// level puts an interval around half the difference on the scale of the ends.
func (e Ends) level(c stats.Comparison, s Samples, test stats.Test) Level {
	if test == stats.TestPaired {
		at := func(ratio float64) float64 { return (ratio*e.half() - 1) / e.Difference }
		return Level{at(c.Ratio.Mean), at(c.Ratio.Low), at(c.Ratio.High)}
	}
	unit := stats.Summarize(s.Good).Mean * e.Difference
	return Level{0.5 + c.Diff.Mean/unit, 0.5 + c.Diff.Low/unit, 0.5 + c.Diff.High/unit}
}

func median(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	if len(sorted) == 0 {
		return math.NaN()
	}
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// atLeast is the chance of k or more successes in n trials, each of chance p.
func atLeast(k, n int, p float64) float64 {
	sum := 0.0
	for i := k; i <= n; i++ {
		sum += binomial(i, n, p)
	}
	return min(1, sum)
}

// atMost is the chance of k or fewer.
func atMost(k, n int, p float64) float64 { return atLeast(n-k, n, 1-p) }

func binomial(k, n int, p float64) float64 {
	lg := func(x int) float64 { y, _ := math.Lgamma(float64(x) + 1); return y }
	return math.Exp(lg(n) - lg(k) - lg(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log(1-p))
}
