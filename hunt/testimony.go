package hunt

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revert"
	"github.com/pinpoint-go/pinpoint/stats"
)

// testify adds what putting the code back showed to a culprit, of which it is the element
// that is named.
func (h *hunt) testify(c *report.Culprit, comp *prove.Composition, f finder.Finding, named int) {
	h.compositions[c.Function] = comp
	plan := comp.Code.Plan
	c.Reverted = &report.Reverted{
		Recovered: compare.Interval(f.Share), Delta: *h.Sampler.Delta(comp.Trial.Comparison),
		Functions: append([]string{}, plan.Functions...), // none is a list, too
		Level:     plan.Level.String(), Decls: plan.Decls, Notes: plan.Notes,
		Triples: h.triples(comp),
	}
	e, d := h.lab.Elements[named], c.Reverted.Delta
	putBack := report.Fact{Kind: "put-back", Function: c.Function, Position: c.Position, Good: &d.Good, Bad: &d.Bad, Unit: d.Unit}
	switch {
	case e.Module != nil:
		c.Reverted.Level = "module"
		c.Reverted.Notes = []string{fmt.Sprintf("%s %s in place of %s", e.Module.Path, e.Module.Good, e.Module.Bad)}
		putBack.Text = fmt.Sprintf("with %s %s in bad", e.Module.Path, e.Module.Good)
	case e.Setting != nil:
		c.Reverted.Level = "setting"
		putBack.Text = fmt.Sprintf("with bad's source compiled %s", e.Setting.Back)
	case e.Suspects[0].Kind != change.Func:
		putBack.Text = fmt.Sprintf("with good's %s back in bad", dataOf(e.Suspects))
	case e.Suspects[0].Good == nil:
		putBack.Text = "only bad has it: without it in bad"
	default:
		with := ""
		if n := len(plan.Functions) + len(plan.Decls) + len(plan.Fields) - 1; n > 0 && f.Blame == finder.Alone {
			with = fmt.Sprintf(" (and what it needs: %s)", along(plan))
		}
		putBack.Text = fmt.Sprintf("with good's code for it back in bad%s", with)
	}
	putBack.Text += fmt.Sprintf(", %s of the difference is gone", percents(f.Share))
	c.Attest(putBack)
	if e.Module == nil && e.Setting == nil && e.Suspects[0].Kind != change.Func {
		c.AttestAll("profile", h.spreadOverUsers(c.Function, e.Suspects)...)
	}
	c.AttestAll("put-back", h.blameOf(f, named)...)
}

// blameOf says how what is named makes the difference, where that is not alone.
func (h *hunt) blameOf(f finder.Finding, named int) (lines []string) {
	others := h.names(f.Set(), named)
	if len(f.With) > 0 {
		lines = append(lines, fmt.Sprintf("good's code for it does not compile without that for %s, and this is the share on top of that: in the same rounds, a third program had good's code for that alone", h.lab.Name(f.With)))
	}
	switch {
	case f.Blame == finder.Together && others != "":
		lines = append(lines, "neither alone brings the difference back: it takes good's code for "+others+" together with it")
	case f.Blame == finder.Either && others != "":
		lines = append(lines, "either alone suffices to bring the difference back: with good's code for "+others+" it is gone, too")
	case (f.Blame == finder.OneOf || f.Blame == finder.Spread) && others != "":
		lines = append(lines, "putting code back does not tell it from what had to come along, differs and can run, too: "+others)
	}
	if f.Blame != finder.Alone && f.Blame != finder.Either {
		lines = append(lines, h.gainedEach(f.Set())...)
	}
	return lines
}

// gainedEach says how much of the difference profiles see in each of a set, if in any.
func (h *hunt) gainedEach(set []int) []string {
	var list []slice
	for _, i := range set {
		e := h.lab.Elements[i]
		list = append(list, slice{path.Base(e.Name()), e.Gained})
	}
	if len(list) < 2 || !slices.ContainsFunc(list, func(s slice) bool { return s.share >= prove.MinShare }) {
		return nil
	}
	return []string{"of the difference the profiles see in each, without what differs beneath it: " + shown(list)}
}

// names are those of a set but for one.
func (h *hunt) names(set []int, but int) string {
	var names []string
	for _, i := range set {
		if i != but {
			names = append(names, path.Base(h.lab.Elements[i].Name()))
		}
	}
	return text.Join(names, ", ", 6)
}

// triples are the samples of a proof.
func (h *hunt) triples(comp *prove.Composition) *report.Triples {
	r := h.whole.Readings(comp.Trial)
	return &report.Triples{Good: r.Good, Back: r.Back, Bad: r.Bad}
}

// dataOf names constants, variables and types.
func dataOf(suspects []change.Suspect) string {
	var names []string
	for _, s := range suspects {
		names = append(names, s.Kind.String()+" "+path.Base(s.Name))
	}
	return strings.Join(names, ", ")
}

// ofTests is 1 for the name of a test's function, and 0 for others.
func ofTests(name string) int {
	name = name[strings.LastIndexByte(name, '.')+1:]
	for _, prefix := range []string{"Test", "Benchmark", "Example", "Fuzz"} {
		if strings.HasPrefix(name, prefix) {
			return 1
		}
	}
	return 0
}

// along names what came with the code that was asked for, functions first.
func along(plan revert.Plan) string {
	const most = 3
	var names []string
	for _, name := range slices.Concat(plan.Functions[min(1, len(plan.Functions)):], plan.Decls, plan.Fields) {
		names = append(names, path.Base(name))
	}
	// What a test needs to compile comes too, and says nothing of the function.
	slices.SortStableFunc(names, func(a, b string) int { return ofTests(a) - ofTests(b) })
	return text.Join(names, ", ", most)
}

// percents is a share with its interval, which has no end where it can't be told.
func percents(i stats.Interval) string {
	bound := func(x float64) string {
		switch {
		case x > boundless:
			return "∞"
		case x < -boundless:
			return "-∞"
		}
		return fmt.Sprintf("%.0f", 100*x)
	}
	return fmt.Sprintf("%.0f %% [%s, %s]", 100*i.Mean, bound(i.Low), bound(i.High))
}

// boundless is where the bound of a share says nothing any more.
const boundless = 100
