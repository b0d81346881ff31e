package compare

import (
	"context"
	"math"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

const (
	pilotFrom   = 24   // undecided pairs of good and bad, before what can be decided is asked
	selfPairs   = 12   // of good and good
	step        = 0.01 // a difference that is ruled out is a whole number of percents, as it is printed
	mostRaised  = 5 * step
	pilotMargin = 1.2 // a standard deviation of twelve is 20 % off
)

// A pilot says which difference can be ruled out at all. It never compares good with
// bad: good against itself shows how much pairs scatter here, and so what the pairs
// that there is time for can tell.
//
// More than that difference is still what the user asked for, so that nothing
// found slower is lost by it. Both claims are read off one interval, so neither
// costs the other's error.
type pilot struct {
	over   bool
	effect float64 // to be ruled out, as a share; 0 where it is the asked one or nothing can be
	sd     float64 // of the logarithm of a pair's ratio
}

// pilot runs good against good, after so many pairs of good and bad; most is the
// number of these that there may be.
func (s *Sampler) pilot(ctx context.Context, good harness.Binary, have, most int, alpha float64) pilot {
	done := pilot{over: true}
	if s.Quantity.Counts() || s.ByMean || s.Budget.Left() < 2*selfPairs*s.Budget.Pair {
		return done
	}
	pairs, err := s.Pairs(ctx, "holding good against itself", s.Campaign(good, good), nil, 0, selfPairs)
	if err != nil || len(pairs) < selfPairs {
		return done // what failed will fail again, and be told then
	}
	s.RecordWhole("good against itself", pairs)
	done.sd = s.scatter(pairs)
	can := stats.Resolvable(pilotMargin*done.sd, min(most, have+s.Budget.affordable()), alpha/2)
	if effect := math.Ceil(can/step) * step; can > s.Asked.MinEffect && effect <= mostRaised {
		done.effect = effect
	}
	return done
}

// scatter is the standard deviation of the logarithms of the ratios of pairs.
func (s *Sampler) scatter(pairs []harness.Pair) float64 {
	good, bad := s.Wholes(pairs)
	logs := make([]float64, len(good))
	for i := range good {
		logs[i] = math.Log(bad[i] / good[i])
	}
	return stats.Summarize(logs).SD
}

// settleFor has an undecided comparison rule out what the pilot said can be, and
// reports whether it did.
func (s *Sampler) settleFor(c *stats.Comparison, p pilot, pairs []harness.Pair, alpha float64) bool {
	if c.Verdict != stats.Unknown || p.effect == 0 {
		return false
	}
	good, bad := s.Wholes(pairs)
	rule := s.Accusing(alpha, good)
	rule.MinEffect = p.effect * Mean(good)
	wider := rule.Compare(good, bad)
	if wider.Verdict == stats.Same {
		*c = wider
	}
	return wider.Verdict == stats.Same
}
