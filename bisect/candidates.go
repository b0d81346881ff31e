package bisect

import "slices"

// Mark is what is known about a commit.
type Mark string

// The marks that a commit is given.
const (
	Good    Mark = "good"    // on good's side of half the difference
	Bad     Mark = "bad"     // on bad's
	Skip    Mark = "skip"    // can't be tested, or not decided
	Erratic Mark = "erratic" // neither: left out like one that is skipped, but certainly not always slow
)

// candidates are the commits that may still be the first bad one. Every commit
// outside was ruled out; last, where there is one, is bad and reaches all others.
type candidates struct {
	history *History
	left    set
	last    int          // -1 while nothing of the history is known to be bad
	passed  map[int]Mark // skipped and erratic ones
}

func newCandidates(h *History, bad string) candidates {
	c := candidates{history: h, left: h.all(), last: -1, passed: make(map[int]Mark)}
	if h.Has(bad) {
		return c.with(h.index[bad], Bad)
	}
	return c
}

// with is c with one more commit marked.
func (c candidates) with(i int, m Mark) candidates {
	switch m {
	case Good:
		c.left = c.history.without(c.left, i)
	case Bad:
		c.left, c.last = c.history.reachable(c.left, i), i
	default:
		passed := map[int]Mark{i: m}
		for k, v := range c.passed {
			passed[k] = v
		}
		c.passed = passed
	}
	return c
}

// next is the commit to test, -1 if none is left that could be.
//
// As long as the best one can't be tested, its neighbours are tried, in twice as
// large steps each time: a commit that doesn't build is seldom alone.
func (c candidates) next() int {
	ranked := slices.DeleteFunc(c.history.ranked(c.left), func(i int) bool { return i == c.last })
	leading := 0
	for leading < len(ranked) && c.passed[ranked[leading]] != "" {
		leading++
	}
	testable := slices.DeleteFunc(ranked, func(i int) bool { return c.passed[i] != "" })
	if len(testable) == 0 {
		return -1
	}
	away := 0
	if leading > 1 {
		away = min(1<<min(leading-1, 20)-1, len(testable)/2)
	}
	return testable[away]
}

// possible lists the hashes of what may be the first bad commit, oldest first.
func (c candidates) possible() []string {
	var list []string
	for _, i := range c.history.tested(c.left) {
		list = append(list, c.history.commits[i].Hash)
	}
	return list
}

// answer is what the search ends with: the first bad commit, where it is the only
// one left or all others are erratic, and otherwise what may be.
func (c candidates) answer() (first string, oneOf []string) {
	for _, i := range c.history.tested(c.left) {
		if i != c.last && c.passed[i] != Erratic {
			return "", c.possible()
		}
	}
	if c.last < 0 {
		return "", c.possible()
	}
	return c.history.commits[c.last].Hash, nil
}
