package compare

import (
	"context"
	"errors"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// usualMachines is what is supposed of how much kinds of machines move a ratio, before
// several are seen: as much as link layouts at their worst. It was not measured.
var usualMachines = stats.UsualLayouts

// HoldMachines holds the whole against every other kind of machines of a fleet. Each says
// by itself whether bad is slower there, so that what one shows alone is its own. Where
// that which was asked first does not show it, the hunt goes to the one that does, and
// compares anew: what was picked out is no proof.
//
// A kind with fewer workers runs fewer pairs: at most as many as it can while the first
// runs its own, and no more than tell.
func (w *Whole) HoldMachines(ctx context.Context, orders *Orders) error {
	s, kinds := w.Sampler, harness.Kinds(ctx)
	if len(kinds) < 2 || s.Quantity.Counts() {
		return nil
	}
	w.Kinds = []OnKind{w.onKind(kinds[0], w.pairs, w.Comparison)}
	alpha := s.Ledger.Open(stats.Whole, len(Deciding), 2*(len(kinds)-1))
	shows := ""
	for _, m := range kinds[1:] {
		c := s.Campaign(w.Good.Binary, w.Bad.Binary)
		c.Machines = []string{m.Class}
		n := max(stats.FirstPairs, min(len(w.pairs), len(w.pairs)*m.Count/max(1, kinds[0].Count)))
		looks := append(slices.DeleteFunc(slices.Clone(Deciding), func(look int) bool { return look >= n }), n)
		there := *w
		pairs, err := s.Until(ctx, "comparing the whole on "+m.Facts.CPU, c, nil, nil, looks, func(pairs []harness.Pair) bool {
			there.judge(pairs, pilot{}, alpha)
			return there.Comparison.Verdict != stats.Unknown
		})
		switch {
		case ctx.Err() != nil:
			return err
		case err != nil:
			s.Log.Warn("whether %s shows the same was not seen: %s", m.Describe(), harness.FirstLine(err))
			continue
		}
		s.RecordWhole("whole on "+m.Describe(), pairs)
		kind := w.onKind(m, pairs, there.Comparison)
		w.Kinds = append(w.Kinds, kind)
		if kind.Comparison.Verdict == stats.Slower && shows == "" {
			shows = m.Class
		}
	}
	w.overMachines(alpha)
	defer func() {
		if text := w.Machines().Slower(); text != "" {
			s.Log.Warn("%s", text)
		}
	}()
	if w.Regression() || shows == "" {
		return nil
	}
	s.On = shows
	err := w.decide(ctx, orders)
	for i, k := range w.Kinds {
		if k.Machines.Class == shows && err == nil {
			w.Kinds[i] = w.onKind(k.Machines, w.pairs, w.Comparison)
		}
	}
	w.overMachines(alpha)
	if errors.Is(err, ErrBudget) {
		w.doubt("slower on machines of one kind, and the budget had no time to see it again there")
		err = nil
	}
	return err
}

func (w *Whole) onKind(m harness.Machines, pairs []harness.Pair, c stats.Comparison) OnKind {
	good, bad := w.Sampler.Wholes(pairs)
	k := OnKind{Machines: m, Comparison: c}
	if groups, err := stats.ByLayout(good, bad, nil); err == nil {
		k.logs = groups[0]
	}
	return k
}

// overMachines is the ratio over kinds of machines, each of which counts the same.
func (w *Whole) overMachines(alpha float64) {
	var groups [][]float64
	for _, k := range w.Kinds {
		groups = append(groups, k.logs)
	}
	if over, err := stats.CompareOver(groups, alpha, w.Sampler.Asked.MinEffect, usualMachines); err == nil && len(groups) > 1 {
		w.OverKinds = &over.Ratio
	}
}

// Machines are what the kinds of machines say, for the report; none where there was one.
func (w *Whole) Machines() *report.Machines {
	if len(w.Kinds) < 2 {
		return nil
	}
	m := &report.Machines{}
	if w.OverKinds != nil {
		over := Interval(*w.OverKinds)
		m.Over = &over
	}
	for _, k := range w.Kinds {
		m.Kinds = append(m.Kinds, report.Machine{
			Class: k.Machines.Class, About: k.Machines.Describe(), Workers: k.Machines.Count,
			Verdict: k.Comparison.Verdict.String(), Pairs: k.Comparison.Good.N, Ratio: w.Sampler.Delta(k.Comparison).Ratio,
			Hunted: k.Machines.Class == w.Sampler.On || w.Sampler.On == "" && len(m.Kinds) == 0,
		})
	}
	return m
}
