package suite

import (
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Pairs of a benchmark go to all kinds of machines of a fleet, to each as many as it has
// workers. What all pairs say is of the kinds as they are mixed there; each kind speaks for
// itself besides, and the error is shared out, so that what one shows alone is found, too.

// mixed are the kinds that pairs go round; nil of one.
func mixed(kinds []harness.Machines) (classes []string) {
	if len(kinds) < 2 {
		return nil
	}
	for _, k := range kinds {
		classes = append(classes, slices.Repeat([]string{k.Class}, max(1, k.Count))...)
	}
	return classes
}

// classes are the kinds of machines that the samples are of, if several.
func (s samples) classes() []string {
	list := slices.Compact(slices.Sorted(slices.Values(s.machines)))
	if len(list) < 2 {
		return nil
	}
	return list
}

// on are the samples of one kind.
func (s samples) on(class string) (part samples) {
	for i, m := range s.machines {
		if m == class {
			part.good, part.bad = append(part.good, s.good[i]), append(part.bad, s.bad[i])
			part.goodMean, part.badMean = append(part.goodMean, s.goodMean[i]), append(part.badMean, s.badMean[i])
			part.layouts = append(part.layouts, s.layouts[i])
		}
	}
	return part
}

// machinesOf is what each kind says of a benchmark at an error level; nil of one.
func (r *run) machinesOf(s samples, level float64) *report.Machines {
	classes := s.classes()
	if classes == nil {
		return nil
	}
	m := &report.Machines{}
	level /= float64(1 + len(classes))
	for _, class := range classes {
		part := s.on(class)
		said := readAlike(part, r.opts.FailAbove, level)
		k := report.Machine{Class: class, About: class, Pairs: len(part.good), Verdict: stats.Unknown.String()}
		if at := slices.IndexFunc(r.kinds, func(k harness.Machines) bool { return k.Class == class }); at >= 0 {
			k.About, k.Workers = r.kinds[at].Describe(), r.kinds[at].Count
		}
		if known(said.ratio) {
			ratio := compare.Interval(said.ratio)
			k.Ratio = &ratio
		}
		switch {
		case said.above:
			k.Verdict = stats.Slower.String()
		case said.clear && said.ratio.High < 1:
			k.Verdict = stats.Faster.String()
		case said.clear:
			k.Verdict = stats.Same.String()
		}
		m.Kinds = append(m.Kinds, k)
	}
	at := make([]int, len(s.machines))
	for i, class := range s.machines {
		at[i] = slices.Index(classes, class)
	}
	if groups, err := stats.ByLayout(s.good, s.bad, at); err == nil {
		if over, err := stats.CompareOver(groups, 2*level, r.opts.FailAbove, stats.UsualLayouts); err == nil && known(over.Ratio) {
			ratio := compare.Interval(over.Ratio)
			m.Over = &ratio
		}
	}
	return m
}
