package measure

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/internal/unit"
	"github.com/pinpoint-go/pinpoint/stats"
)

// A Comparison holds the revisions of one quantity of one benchmark against each
// other, or other alternatives, see [Options.By].
type Comparison struct {
	Name     string // of the scenario
	Measurer string
	Unit     string
	Groups   []Metric        // one an alternative, in their order
	Revs     []string        // of the groups, or what they are called otherwise
	ANOVA    *stats.Variance // nil for two revisions, and where nothing varies
	Exact    bool            // nothing varies: the numbers themselves are compared
	Pairs    []Pair
}

// A Pair is two revisions of a Comparison. The difference is the second's
// (thesis, 2.3.4).
type Pair struct {
	A, B    int // indexes into Groups
	Diff    stats.Interval
	Ratio   stats.Interval // of the paired values; NaN where there is none
	Verdict stats.Verdict
}

// Against says how revisions are compared. The zero value of a field is its
// default.
type Against struct {
	Alpha     float64 // error of all the verdicts of one Comparison together; default 0.01
	MinEffect float64 // share of the first revision's mean below which a difference does not count; default 0.01
}

// Compare holds the revisions of a result against each other, quantity by
// quantity.
//
// Of more than two revisions an analysis of variance says first whether any
// differs (thesis, 2.3.5), with what slows a whole round taken out. Which ones do is decided pair by pair, with the error
// divided by the number of pairs (Bonferroni): values of the same round are a
// pair, since the scenarios took turns. Where the analysis finds nothing, no pair
// is called different.
func (a Against) Compare(r *Result) []Comparison {
	if a.Alpha == 0 {
		a.Alpha = 0.01
	}
	if a.MinEffect == 0 {
		a.MinEffect = 0.01
	}
	var all []Comparison
	for _, m := range r.Metrics() {
		name, which, ok := r.alternative(r.Scenarios[m.Scenario])
		if !ok || m.Of != "" {
			continue
		}
		i := slices.IndexFunc(all, func(c Comparison) bool {
			return c.Name == name && c.Measurer == m.Measurer && c.Unit == m.Unit
		})
		if i < 0 {
			i = len(all)
			all = append(all, Comparison{Name: name, Measurer: m.Measurer, Unit: m.Unit})
		}
		all[i].Groups = append(all[i].Groups, m)
		all[i].Revs = append(all[i].Revs, which)
	}
	for i := range all {
		a.decide(&all[i])
	}
	return all
}

func (a Against) decide(c *Comparison) {
	groups := make([][]float64, len(c.Groups))
	constant := true
	for i, g := range c.Groups {
		groups[i] = g.Values
		constant = constant && slices.Min(g.Values) == slices.Max(g.Values)
	}
	c.Exact = constant && c.Groups[0].Counted
	differ := true
	if len(groups) > 2 && !c.Exact {
		if v, err := Blocks(groups...); err == nil {
			c.ANOVA = &v
			differ = v.P < a.Alpha
		}
	}
	pairs := len(groups) * (len(groups) - 1) / 2
	rule := stats.Rule{Alpha: a.Alpha / float64(max(pairs, 1)), MinEffect: a.MinEffect * math.Abs(c.Groups[0].Interval(0.5).Mean), Test: stats.TestAuto}
	for i := range groups {
		for j := i + 1; j < len(groups); j++ {
			c.Pairs = append(c.Pairs, pairOf(rule, c, i, j, differ))
		}
	}
}

// Blocks is an analysis of variance of groups whose values of the same index were
// measured in one round: what a whole round was slower by is taken out first, as
// a ratio (randomised blocks). Groups of different sizes are analysed as they are.
func Blocks(groups ...[]float64) (stats.Variance, error) {
	k, n := len(groups), len(groups[0])
	centered := make([][]float64, k)
	for i, g := range groups {
		if len(g) != n || slices.Min(g) <= 0 {
			return stats.ANOVA(groups...)
		}
		centered[i] = make([]float64, n)
	}
	for j := range n {
		round := 0.0
		for _, g := range groups {
			round += math.Log(g[j]) / float64(k)
		}
		for i, g := range groups {
			centered[i][j] = math.Log(g[j]) - round
		}
	}
	v, err := stats.ANOVA(centered...)
	if err != nil || math.IsInf(v.F, 0) {
		return v, err
	}
	// The rounds' means cost n-1 degrees of freedom.
	v.F *= float64(k-1) / float64(k)
	v.Error = (k - 1) * (n - 1)
	// The upper tail itself: 1 less the rest of it would be 0 below 1e-16.
	between, within := float64(v.Between), float64(v.Error)
	v.P = mathext.RegIncBeta(within/2, between/2, within/(within+between*v.F))
	return v, nil
}

// pairOf compares two groups; a difference counts only where the analysis of all
// found one.
func pairOf(rule stats.Rule, c *Comparison, i, j int, differ bool) Pair {
	p := Pair{A: i, B: j}
	a, b := c.Groups[i].Values, c.Groups[j].Values
	if c.Exact {
		d := b[0] - a[0]
		p.Diff = stats.Interval{Mean: d, Low: d, High: d}
		p.Ratio = stats.Interval{Mean: b[0] / a[0], Low: b[0] / a[0], High: b[0] / a[0]}
		switch {
		case d > 0:
			p.Verdict = stats.Slower
		case d < 0:
			p.Verdict = stats.Faster
		default:
			p.Verdict = stats.Same
		}
		return p
	}
	n := min(len(a), len(b))
	v := rule.Compare(a[:n], b[:n])
	p.Diff, p.Ratio, p.Verdict = v.Diff, v.Ratio, v.Verdict
	if unit.MoreIsBetter(c.Unit) {
		p.Verdict = p.Verdict.Turned()
	}
	if !differ && (p.Verdict == stats.Slower || p.Verdict == stats.Faster) {
		p.Verdict = stats.Unknown
	}
	return p
}

// Verdict is that of all other revisions against the first: Slower if any is,
// Same if all are the same or faster, Unknown otherwise. Faster is for all of
// them.
func (c Comparison) Verdict() stats.Verdict {
	count := map[stats.Verdict]int{}
	for _, p := range c.Pairs {
		if p.A == 0 {
			count[p.Verdict]++
		}
	}
	others := len(c.Groups) - 1
	switch {
	case count[stats.Slower] > 0:
		return stats.Slower
	case count[stats.Faster] == others && others > 0:
		return stats.Faster
	case count[stats.Same]+count[stats.Faster] == others:
		return stats.Same
	}
	return stats.Unknown
}

// words are what a verdict says of a quantity.
func words(v stats.Verdict, u string) string {
	if unit.IsTime(u) || v == stats.Unknown {
		return v.String()
	}
	return map[stats.Verdict]string{stats.Same: "the same", stats.Slower: "more", stats.Faster: "less"}[v]
}

// WriteComparisons writes comparisons for a reader, within 80 columns: each
// revision's mean, what the analysis of variance says, and each pair.
func WriteComparisons(w io.Writer, all []Comparison, confidence float64) error {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "\n%s  %s\n", c.Name, c.Measurer)
		width := 0
		for _, rev := range c.Revs {
			width = max(width, min(len(rev), 30))
		}
		for i, g := range c.Groups {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, c.Revs[i], describe(g, confidence))
		}
		if c.ANOVA != nil {
			fmt.Fprintf(&b, "  analysis of variance: F(%d; %d) = %.4g, p = %.2g; %.0f %% of the variation lies\n  between revisions\n",
				c.ANOVA.Between, c.ANOVA.Error, c.ANOVA.F, c.ANOVA.P, 100*c.ANOVA.Eta)
		}
		for _, p := range c.Pairs {
			b.WriteString(c.line(p))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// line says how the second revision of a pair stands to the first.
func (c Comparison) line(p Pair) string {
	said := fmt.Sprintf("%s against %s: %s", c.Revs[p.B], c.Revs[p.A], words(p.Verdict, c.Unit))
	if c.Exact {
		if p.Diff.Mean != 0 {
			said += fmt.Sprintf(", %+g, exactly", p.Diff.Mean)
		} else {
			said += ", exactly"
		}
	} else if !math.IsNaN(p.Ratio.Mean) && !math.IsInf(p.Ratio.High, 0) {
		said += ", " + text.Change(p.Ratio.Mean, p.Ratio.Low, p.Ratio.High)
	}
	return text.Fold("  ", "    ", said)
}
