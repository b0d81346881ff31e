package compare

import (
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Rule is the decision rule of a search at an error level. The minimum effect is a share
// of the good whole, whatever the part.
func (s *Sampler) Rule(alpha float64, goodWhole []float64) stats.Rule {
	return s.rule(alpha, goodWhole, s.Asked.Test.Narrowing())
}

// Accusing is the rule of what accuses: pairs decide, which what drifts is not in.
func (s *Sampler) Accusing(alpha float64, goodWhole []float64) stats.Rule {
	return s.rule(alpha, goodWhole, s.Asked.Test.Accusing())
}

func (s *Sampler) rule(alpha float64, goodWhole []float64, test stats.Test) stats.Rule {
	if s.Quantity.Counts() {
		test = stats.TestWelch // counts agree or differ; ranks of equal ones say nothing
	}
	return stats.Rule{Alpha: alpha, MinEffect: s.Asked.MinEffect * Mean(goodWhole), Test: test}
}

// paired lets the ratios of pairs decide: the means of all batches are too noisy
// for anything else.
func paired(r stats.Rule) stats.Rule {
	r.Test = stats.TestPaired
	return r
}

// summary is what a process contributes by this sampler.
func (s *Sampler) summary() summary {
	if s.ByMean {
		return s.Quantity.mean()
	}
	return s.Quantity.steady()
}

// Wholes are the samples of the whole operation, matched and paired by index, in the
// quantity's unit per operation.
func (s *Sampler) Wholes(pairs []harness.Pair) (good, bad []float64) {
	for _, p := range pairs {
		g, b := s.Matched(p)
		good, bad = append(good, g.Whole), append(bad, b.Whole)
	}
	return good, bad
}

// means are the same of all batches, each side's own.
func (s *Sampler) means(pairs []harness.Pair) (good, bad []float64) {
	of := s.Quantity.mean()
	for _, p := range pairs {
		good = append(good, of(p.Good).Whole)
		bad = append(bad, of(p.Bad).Whole)
	}
	return good, bad
}

// Matched are the samples of a pair, at the speeds at which their wholes match where
// that is of a few batches and not of all. What slowed a process down slowed its parts
// down too.
func (s *Sampler) Matched(p harness.Pair) (good, bad harness.Sample) {
	of := s.summary()
	good, bad = of(p.Good), of(p.Bad)
	if s.ByMean || s.Quantity.Counts() {
		return good, bad
	}
	wholeGood, wholeBad := p.Match(good.Whole, bad.Whole, s.Quantity.of)
	return atSpeed(good, wholeGood), atSpeed(bad, wholeBad)
}

// atSpeed is a sample of a process that takes another time as a whole.
func atSpeed(s harness.Sample, whole float64) harness.Sample {
	if !(s.Whole > 0) || !(whole > 0) {
		return s
	}
	factor := whole / s.Whole
	s.Whole = whole
	for id := range s.Parts {
		s.Parts[id].NS *= factor
	}
	return s
}

// RecordWhole keeps the raw samples of a campaign without probes.
func (s *Sampler) RecordWhole(what string, pairs []harness.Pair) {
	good, bad := s.Wholes(pairs)
	s.Log.Record(what, pairs, good, bad)
}

// Mean is the mean of values, 0 of none.
func Mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(max(1, len(xs)))
}
