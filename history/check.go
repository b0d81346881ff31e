package history

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/internal/unit"
	"github.com/pinpoint-go/pinpoint/stats"
)

// A Rule says how a new result is held against the accepted ones. The zero value
// of a field is its default.
type Rule struct {
	Last       int     // how many accepted results count, the newest; default 5
	Alpha      float64 // error of all the verdicts of one check together; default 0.01
	MinEffect  float64 // share below which a difference does not count; default 0.01
	Resolution float64 // what must be visible for "no difference" to be said; default 0.10
	AnyHost    bool    // compare results of other hosts, too
}

func (r *Rule) setDefaults() {
	if r.Last == 0 {
		r.Last = 5
	}
	if r.Alpha == 0 {
		r.Alpha = 0.01
	}
	if r.MinEffect == 0 {
		r.MinEffect = 0.01
	}
	if r.Resolution == 0 {
		r.Resolution = 0.10
	}
}

// A Finding is what a check says of one quantity.
type Finding struct {
	Package string
	Key
	Verdict stats.Verdict   // Same: no difference was found, and one of the Resolution would have been
	Why     string          // in words
	Against int             // accepted results
	New     stats.Summary   // of the new result
	Old     []stats.Summary // of the accepted ones, the oldest first
	Paths   []string        // of the accepted ones
	ANOVA   *stats.Variance // over all of them and the new one; nil for one accepted result, or where nothing varies
	Ratio   stats.Interval  // of new to the mean of the accepted ones; share 1 is equal
}

// A Check is a new result held against a history.
type Check struct {
	Findings []Finding
	Notes    []string // what was not compared, and why
}

// Check holds a new result, of the entries of one file, against the accepted ones, quantity
// by quantity.
//
// Against a single accepted result the interval of the difference decides (thesis,
// 2.3.4); against more, an analysis of variance says whether any differs (2.3.5),
// and then the intervals of the new one against each. It is slower, or faster,
// where it is so against each of them, and by more than they differ among
// themselves.
func (r Rule) Check(accepted, fresh []Entry) (c Check, err error) {
	r.setDefaults()
	usable := make([][]Entry, len(fresh))
	keys := 0
	for i, e := range fresh {
		usable[i] = r.usable(accepted, e, &c)
		for _, k := range e.Keys {
			if len(newest(usable[i], k, r.Last)) > 0 {
				keys++
			}
		}
	}
	slices.Sort(c.Notes)
	c.Notes = slices.Compact(c.Notes)
	for i, e := range fresh {
		for _, k := range e.Keys {
			f := Finding{Package: e.Package, Key: k, New: stats.Summarize(e.Samples[k])}
			old := newest(usable[i], k, r.Last)
			if len(old) == 0 {
				f.Why = "nothing accepted to hold it against"
			} else if f, err = r.check(f, old, e, r.Alpha/float64(keys)); err != nil {
				return c, fmt.Errorf("%s, %s: %w", k.Name, k.Unit, err)
			}
			c.Findings = append(c.Findings, f)
		}
	}
	return c, nil
}

// usable are the entries of the fresh one's package and host.
func (r Rule) usable(accepted []Entry, fresh Entry, c *Check) []Entry {
	var usable []Entry
	foreign, toolchains := 0, map[string]bool{}
	for _, e := range accepted {
		switch {
		case e.Package != fresh.Package:
			continue
		case e.Host != fresh.Host && !r.AnyHost:
			foreign++
			continue
		case e.Host != fresh.Host:
			c.Notes = append(c.Notes, fmt.Sprintf("%s is of another host: a difference may be the machine's", e.Path))
		}
		if e.Toolchain != fresh.Toolchain {
			toolchains[e.Toolchain] = true
		}
		usable = append(usable, e)
	}
	if foreign > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d accepted results are of other hosts and not compared", foreign))
	}
	for t := range toolchains {
		c.Notes = append(c.Notes, fmt.Sprintf("some accepted results were built with %s, this one with %s", t, fresh.Toolchain))
	}
	return usable
}

// newest are the last entries that have the key.
func newest(entries []Entry, k Key, last int) []Entry {
	var have []Entry
	for _, e := range entries {
		if len(e.Samples[k]) > 0 {
			have = append(have, e)
		}
	}
	return have[max(0, len(have)-last):]
}

func (r Rule) check(f Finding, old []Entry, fresh Entry, alpha float64) (Finding, error) {
	k := f.Key
	f.Against = len(old)
	groups := [][]float64{}
	for _, e := range old {
		groups = append(groups, e.Samples[k])
		f.Old = append(f.Old, stats.Summarize(e.Samples[k]))
		f.Paths = append(f.Paths, e.Path)
	}
	if constant(append(slices.Clone(groups), fresh.Samples[k])) {
		return f.exact(), nil
	}
	for _, g := range append(slices.Clone(groups), fresh.Samples[k]) {
		if len(g) < 2 {
			f.Why = "too few values: measure at least 2 processes"
			return f, nil
		}
	}
	var err error
	if f.Ratio, err = f.ratio(alpha); err != nil {
		return f, err
	}
	if len(old) > 1 {
		v, err := stats.ANOVA(append(slices.Clone(groups), fresh.Samples[k])...)
		if err != nil {
			return f, err
		}
		f.ANOVA = &v
		if v.P >= alpha {
			return r.undisturbed(f), nil
		}
	}
	return r.against(f, groups, fresh.Samples[k], alpha)
}

// constant reports whether no group varies.
func constant(groups [][]float64) bool {
	for _, g := range groups {
		if slices.Min(g) != slices.Max(g) {
			return false
		}
	}
	return true
}

// exact compares what doesn't vary, such as counts.
func (f Finding) exact() Finding {
	last := f.Old[len(f.Old)-1].Mean
	ratio := 1.0
	switch {
	case f.New.Mean == last:
		f.Verdict, f.Why = stats.Same, "equal, and nothing varies"
	case (f.New.Mean > last) != unit.MoreIsBetter(f.Unit):
		f.Verdict, f.Why = stats.Slower, "worse than the last accepted, and nothing varies"
	default:
		f.Verdict, f.Why = stats.Faster, "better than the last accepted, and nothing varies"
	}
	if last != 0 {
		ratio = f.New.Mean / last
	}
	f.Ratio = stats.Interval{Mean: ratio, Low: ratio, High: ratio}
	return f
}

// ratio is the new mean over the mean of the accepted means, with the interval that
// the values give; what the days of the accepted ones add is not in it.
func (f Finding) ratio(alpha float64) (stats.Interval, error) {
	base, variance := 0.0, 0.0
	for _, s := range f.Old {
		base += s.Mean / float64(len(f.Old))
		variance += s.SD * s.SD / float64(s.N) / float64(len(f.Old)*len(f.Old))
	}
	if base == 0 {
		return stats.Interval{}, errors.New("the accepted results are 0: there is no ratio")
	}
	df := f.New.N - 1
	for _, s := range f.Old {
		df = min(df, s.N-1)
	}
	se := math.Sqrt(variance+f.New.SD*f.New.SD/float64(f.New.N)) / math.Abs(base)
	return stats.Student(f.New.Mean/base, se, float64(df), 1-alpha), nil
}

// undisturbed is the verdict where no difference was found: it is worth as much as
// what would have been seen.
func (r Rule) undisturbed(f Finding) Finding {
	half := (f.Ratio.High - f.Ratio.Low) / 2
	if half > r.Resolution {
		f.Why = fmt.Sprintf("no difference found, but only one above %.0f %% would have been: measure more processes", 100*half)
		return f
	}
	f.Verdict, f.Why = stats.Same, fmt.Sprintf("no difference found; one above %.1f %% would have been", 100*half)
	return f
}

// against compares the new values with each accepted group.
func (r Rule) against(f Finding, groups [][]float64, fresh []float64, alpha float64) (Finding, error) {
	confidence := 1 - alpha/float64(len(groups))
	slower, faster := 0, 0
	nearest := math.Inf(1)
	for i, g := range groups {
		iv, err := stats.Welch(g, fresh, confidence)
		if err != nil {
			return f, err
		}
		effect := r.MinEffect * math.Abs(f.Old[i].Mean)
		switch {
		case iv.Low > 0 && iv.Mean > effect:
			slower++
		case iv.High < 0 && -iv.Mean > effect:
			faster++
		}
		nearest = min(nearest, math.Abs(iv.Mean))
	}
	if unit.MoreIsBetter(f.Unit) {
		slower, faster = faster, slower
	}
	switch {
	case slower < len(groups) && faster < len(groups):
		if slower+faster == 0 {
			return r.undisturbed(f), nil
		}
		f.Why = fmt.Sprintf("worse than %d and better than %d of %d accepted results: they differ among themselves", slower, faster, len(groups))
	case nearest <= f.spread():
		f.Why = fmt.Sprintf("it differs from all %d, but by less than they do among themselves (%.1f %%)", len(groups), 100*f.spread()/math.Abs(f.Old[0].Mean))
	case slower == len(groups):
		f.Verdict, f.Why = stats.Slower, fmt.Sprintf("worse than each of %d accepted results", len(groups))
	default:
		f.Verdict, f.Why = stats.Faster, fmt.Sprintf("better than each of %d accepted results", len(groups))
	}
	return f, nil
}

// spread is how far apart the accepted means are.
func (f Finding) spread() float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range f.Old {
		low, high = min(low, s.Mean), max(high, s.Mean)
	}
	return high - low
}
