package layers

import (
	"context"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/stats"
)

// relink makes the probed binaries of a frame in the orders that the whole was
// looked at in, once for all regions of it.
func (pr *Prober) relink(ctx context.Context, f *Layer) ([][]harness.Binary, error) {
	if f.linked == nil {
		linked := change.Map(pr.pair(), func(s *sides.Side) *compare.Entrant {
			return compare.NewEntrant(f.built.Of(s.Which), func(ctx context.Context, order uint64) (harness.Binary, error) {
				return pr.buildSide(ctx, s.In(order), f)
			})
		})
		f.linked = &linked
	}
	pr.Sampler.Log.Phase("linking the probes in " + f.Name + " in other orders")
	return pr.Orders.Linked(ctx, 0, pr.Whole.Orders, f.linked.Good, f.linked.Bad)
}

// measure answers the finder: it runs a region of a layer in fresh processes
// and reads the parts out of them.
func (pr *Prober) measure(stage stats.Stage) finder.MeasureFunc {
	return func(ctx context.Context, l finder.Layer, on finder.Region, parts []finder.Region) (finder.Reading, error) {
		f := pr.layers[l.Name]
		if pr.Sampler.Quantity.Profiled {
			return pr.measureProfiled(ctx, stage, f, on, parts)
		}
		if err := pr.build(ctx, f); err != nil {
			return finder.Reading{}, err
		}
		prepare := pr.thin
		if f.nested {
			prepare = pr.divide
		}
		if err := prepare(ctx, f); err != nil {
			return finder.Reading{}, err
		}
		m := pr.masks(f, on)
		what := "measuring " + f.Name
		if stage == stats.Confirmation {
			what = "confirming " + f.Name
		}
		alpha, looks, enough := pr.searchAlpha(), compare.Searching, worthFollowing
		if stage == stats.Confirmation {
			alpha, looks, enough = pr.Sampler.Ledger.Open(stage, len(pr.Sampler.Quantity.Looks(compare.Deciding)), 1), compare.Deciding, finder.Reading.Decided
		}
		if f.shows {
			looks = compare.Showing
		}
		c := pr.Sampler.Campaign(f.built.Good, f.built.Bad)
		if stage == stats.Confirmation {
			var err error
			if c.Layouts, err = pr.relink(ctx, f); err != nil {
				return finder.Reading{}, err
			}
		}
		looks = compare.FewestFor(c.Layouts, pr.Sampler.Quantity.Looks(looks))
		var reading finder.Reading
		var last readings
		pairs, err := pr.Sampler.Until(ctx, what, c, nil, m.on, looks, func(pairs []harness.Pair) bool {
			last = pr.read(f, pairs, m)
			reading = pr.judge(last, on, parts, alpha)
			asked := reading
			if f.isOperation() && asked.Whole.Verdict == stats.Unknown {
				// That it is slower is known from the unprobed pair.
				asked.Whole = finder.AtSpeedOf(pr.Whole.Comparison, asked.Whole)
			}
			return enough(asked)
		})
		if last.frame == nil { // ended before the first look
			last = pr.read(f, pairs, m)
		}
		pr.record(what, f, last, pairs, on)
		pr.explain(what, f, reading, parts)
		if stage != stats.Confirmation {
			pr.seen[f] = last
			if !f.nested {
				pr.last = f
			}
		}
		return reading, err
	}
}

// explain tells which parts were found slower, and which are open.
func (pr *Prober) explain(what string, f *Layer, r finder.Reading, parts []finder.Region) {
	if len(r.Parts) < len(parts) {
		return // it ended before the first look
	}
	found := make(map[stats.Verdict][]string)
	for i, g := range parts {
		if v := r.Parts[i].Verdict; g.To == g.From+1 && (v == stats.Slower || v == stats.Unknown) {
			found[v] = append(found[v], f.Parts[g.From].Text())
		}
	}
	pr.Sampler.Log.Explain("%s: %v; slower are [%s], open [%s] of %d parts", what, r.Whole.Verdict,
		strings.Join(found[stats.Slower], "; "), strings.Join(found[stats.Unknown], "; "), len(parts))
}
