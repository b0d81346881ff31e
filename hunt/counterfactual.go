package hunt

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revert"
	"github.com/pinpoint-go/pinpoint/stats"
)

// maxReverts is how many suspects are put back one by one, and maxPaired how many
// in pairs, if none alone brings the difference back.
const (
	maxReverts = 8
	maxPaired  = 4
)

// change is what lies between the revisions, worked out once.
func (h *hunt) change() *revert.Change {
	if h.between == nil {
		h.between = revert.Between(h.good.prog, h.bad.prog)
	}
	return h.between
}

// putBack builds bad with good's code for one suspect, or several together, and
// holds it against bad, on fresh processes. Nothing is probed: this is what the
// user would measure.
func (h *hunt) putBack(ctx context.Context, share float64, most int, suspects ...revert.Suspect) (*proof, error) {
	p, err := h.reverted(ctx, suspects)
	if err != nil {
		return nil, err
	}
	return p, h.settle(ctx, p, share, most)
}

// reverted is bad with good's code for suspects, with what is known of it so far.
func (h *hunt) reverted(ctx context.Context, suspects []revert.Suspect) (*proof, error) {
	key, name := namesOf(suspects)
	if known := h.proofs[key]; known != nil {
		return known.again(), nil
	}
	p, err := h.revert(ctx, name, suspects)
	if err != nil {
		return nil, err
	}
	if same := h.composed(p.plan); same != nil {
		return p.asIn(same), nil
	}
	return p, nil
}

// settle measures a proof until it speaks for or against a share, if it does not yet, but
// with most pairs at most.
func (h *hunt) settle(ctx context.Context, p *proof, share float64, most int) error {
	key, name := p.names()
	if len(p.bad) == 0 || p.Unclear(share) && len(p.bad) < most {
		if err := h.holdAgainst(ctx, p, share, most, "bad with good's "+name); err != nil {
			return err
		}
	}
	h.proofs[key] = p
	return nil
}

// composed is the proof, of those with the same code back, that was measured most; nil
// if there is none. Where one function does not compile without another, it is the same
// for both.
func (h *hunt) composed(plan revert.Plan) (most *proof) {
	for _, p := range h.proofs {
		if p.module == nil && p.plan.Takes(plan) && (most == nil || len(p.bad) > len(most.bad)) {
			most = p
		}
	}
	return most
}

// namesOf tells suspects from others, and names them to a reader.
func namesOf(suspects []revert.Suspect) (key, name string) {
	var names []string
	for _, s := range suspects {
		names = append(names, s.Name)
	}
	key = strings.Join(names, " and ")
	if len(names) > maxPaired {
		return key, fmt.Sprintf("%d functions that are not seen to be reached", len(names))
	}
	return key, key
}

// revert builds bad with good's code for suspects.
func (h *hunt) revert(ctx context.Context, name string, suspects []revert.Suspect) (*proof, error) {
	h.progress("putting good's " + name + " back")
	p := &proof{suspects: suspects}
	var err error
	p.plan, err = h.change().Try(ctx, suspects, func(ctx context.Context, plan revert.Plan) (err error) {
		h.probed++
		dir := fmt.Sprintf("reverted%d", h.probed)
		p.build = func(ctx context.Context, bad *side) (harness.Binary, error) {
			return h.build(ctx, bad, dir, plan.Files, 0)
		}
		p.binary, err = p.build(ctx, h.bad)
		return err
	})
	return p, err
}

// putBackFunction is putBack for a function of bad; nil when its code is the same
// in good, lies in another module, or does not compile in bad.
func (h *hunt) putBackFunction(ctx context.Context, fn *callgraph.Function, share float64, most int) (*proof, error) {
	s, err := h.change().Find(fn.Name)
	if err != nil || s.Kind != revert.Func || s.Good == nil || s.Bad == nil || !h.differs(s.Good, s.Bad) {
		return nil, nil
	}
	if m := fn.Pkg.Module; m == nil || !m.Main {
		return nil, nil
	}
	p, err := h.putBack(ctx, share, most, s)
	if err != nil && !ends(ctx, err) {
		h.warn("%s could not be tried with good's code: %s", fn.Name, firstLine(err))
		return nil, nil
	}
	return p, err
}

// putBackData puts good's constants, variables and types back that a function of bad
// refers to and whose own code is the same; nil unless that takes a share away.
func (h *hunt) putBackData(ctx context.Context, fn *callgraph.Function, share float64, most int) (*proof, error) {
	twin, ok := h.good.prog.Counterpart(fn)
	if !ok {
		return nil, nil
	}
	good, bad := h.good.prog.Uses(twin), h.bad.prog.Uses(fn)
	list := slices.DeleteFunc(h.change().Suspects(), func(s revert.Suspect) bool {
		was, before := good[s.Name]
		is, now := bad[s.Name]
		return s.Kind == revert.Func || !before || !now || was == is
	})
	if len(list) == 0 || len(list) > maxPaired {
		return nil, nil
	}
	p, err := h.putBack(ctx, share, most, list...)
	switch {
	case err != nil && ends(ctx, err):
		return nil, err
	case err != nil || !p.SpeaksFor(share):
		return nil, nil
	}
	return p, nil
}

// ends says whether an error ends the hunt. A revert that does not compile, or
// that panics when it runs, ends only the attempt.
func ends(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, errBudget)
}

// prove puts the code of the first culprit of a search through layers back. What
// that recovers is said; if it recovers little, the cost is only paid there, and
// the other suspects are put back in its place, one by one.
func (h *hunt) prove(ctx context.Context, parallel bool) error {
	if len(h.report.Culprits) == 0 {
		return h.tryReverts(ctx, "", parallel)
	}
	first := &h.report.Culprits[0]
	fn := h.lookUp(h.bad, first.Function)
	if fn == nil || first.Reverted != nil {
		return nil
	}
	p, err := h.putBackFunction(ctx, fn, first.Share, last(deciding))
	if p == nil && err == nil && h.onlyPays(fn) {
		p, err = h.putBackData(ctx, fn, first.Share, last(deciding))
	}
	switch {
	case err != nil:
		return err
	case p == nil && !h.onlyPays(fn):
		if first.Confirmed {
			return nil
		}
		return h.tryReverts(ctx, first.Function, parallel)
	case p == nil:
		return h.clearOthers(ctx, first, parallel)
	}
	h.testify(first, p)
	switch {
	case p.SpeaksFor(first.Share):
		// Measured without any probe, this is the better figure.
		first.Share = p.Recovered.Mean
		h.clear(first)
	case !p.SpeaksAgainst(first.Share) && h.leans(p, first.Share):
		// Probes and a confirmation accuse it, and what was seen of a proof agrees.
	default:
		first.Confirmed = false
		return h.tryReverts(ctx, first.Function, parallel)
	}
	return h.proveOthers(ctx)
}

// proveOthers asks the same of the other culprits of a search through layers. Beside
// a proof, what only probes saw is no accusation: where the compiler and the linker
// put things makes a few percent of difference that are nobody's.
func (h *hunt) proveOthers(ctx context.Context) (err error) {
	others := h.report.Culprits[1:]
	for i := range others {
		c := &others[i]
		if err != nil {
			c.Confirmed = false
			continue
		}
		fn := h.lookUp(h.bad, c.Function)
		if fn == nil {
			continue
		}
		var p *proof
		p, err = h.putBackFunction(ctx, fn, c.Share, last(deciding))
		switch {
		case p != nil && err == nil && p.SpeaksFor(c.Share):
			h.testify(c, p)
			c.Share = p.Recovered.Mean
		case p != nil || err != nil || h.onlyPays(fn):
			c.Confirmed = false
			h.warn("the probes saw %s slower too (%.0f %%), which putting good's code back did not prove", c.Function, 100*c.Share)
		}
	}
	h.setUnconfirmedAside()
	h.weigh()
	return err
}

// clearOthers tries the code that differs for a culprit that does not, which may
// only pay for what other code costs. It is no accusation as long as that is
// neither proved guilty nor cleared.
func (h *hunt) clearOthers(ctx context.Context, pays *report.Culprit, parallel bool) error {
	name, confirmed := pays.Function, pays.Confirmed
	cleared, err := h.tryAll(ctx, name, parallel)
	if cleared && err == nil && len(h.report.Culprits) > 0 && h.report.Culprits[0].Function == name {
		cleared, err = h.clearUnreached(ctx)
	}
	if err != nil || len(h.report.Culprits) == 0 || h.report.Culprits[0].Function != name || cleared || !confirmed {
		return err
	}
	h.report.Culprits[0].Confirmed = false
	h.warn("%s takes longer and is the same code in both revisions; code that differs was neither proved to be the cause nor cleared", name)
	return nil
}

func last(looks []int) int { return looks[len(looks)-1] }

// onlyPays reports whether a function of bad that was seen to be slower has the
// same code in good: unless it uses other data, the cause is elsewhere.
func (h *hunt) onlyPays(fn *callgraph.Function) bool {
	twin, ok := h.good.prog.Counterpart(fn)
	return ok && !h.differs(twin, fn)
}

// clear takes those culprits back that the proof of the first leaves no room
// for: what was seen in them is gone, too, when its code is put back.
func (h *hunt) clear(first *report.Culprit) {
	kept := []report.Culprit{*first}
	rest := 1 - first.Share
	for _, c := range h.report.Culprits[1:] {
		if c.Share > rest+minShare {
			h.warn("the probes saw %s slower too (%.0f %%), which putting %s back leaves no room for", c.Function, 100*c.Share, first.Function)
			continue
		}
		kept = append(kept, c)
		rest -= c.Share
	}
	h.report.Culprits = kept
	h.weigh()
}

// testify adds what putting the code back showed to a culprit.
func (h *hunt) testify(c *report.Culprit, p *proof) {
	h.proved[c.Function] = p
	c.Reverted = &report.Reverted{Recovered: interval(p.Recovered), Delta: *h.delta(p.Comparison)}
	if m := p.module; m != nil {
		c.Reverted.Level, c.Reverted.Functions = "module", []string{}
		c.Reverted.Notes = []string{fmt.Sprintf("%s %s in place of %s", m.Path, m.Good, m.Bad)}
		c.Evidence = append(c.Evidence, fmt.Sprintf("with %s %s in bad, %s of the difference is gone", m.Path, m.Good, p.gone()))
		return
	}
	c.Reverted.Level = p.plan.Level.String()
	c.Reverted.Functions, c.Reverted.Decls, c.Reverted.Notes = p.plan.Functions, p.plan.Decls, p.plan.Notes
	if p.suspects[0].Kind != revert.Func {
		c.Evidence = append(c.Evidence, fmt.Sprintf("with good's %s back in bad, %s of the difference is gone", dataOf(p.suspects), p.gone()))
		return
	}
	with := ""
	if n := len(p.plan.Functions) + len(p.plan.Decls) + len(p.plan.Fields) - 1; n > 0 {
		with = fmt.Sprintf(" (and what it needs: %s)", p.along(n))
	}
	c.Evidence = append(c.Evidence, fmt.Sprintf("with good's code for it back in bad%s, %s of the difference is gone", with, p.gone()))
	if names := h.beside(p); len(names) > 0 {
		c.Evidence = append(c.Evidence, "putting code back does not tell it from what had to come along, differs and can run, too: "+strings.Join(names, ", "))
	}
}

// dataOf names constants, variables and types.
func dataOf(suspects []revert.Suspect) string {
	var names []string
	for _, s := range suspects {
		names = append(names, s.Kind.String()+" "+path.Base(s.Name))
	}
	return strings.Join(names, ", ")
}

// beside are the functions of a proof that nobody asked for, but that differ and are
// run by what is timed: it may be owed to them as well.
func (h *hunt) beside(p *proof) (names []string) {
	reached := h.reachedWhileTimed()
	for _, s := range h.differing() {
		asked := slices.ContainsFunc(p.suspects, func(t revert.Suspect) bool { return t.Name == s.Name })
		if !asked && p.takes(s) && (reached[s.Good] || reached[s.Bad]) {
			names = append(names, path.Base(s.Name))
		}
	}
	return names
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

// along names what came with the code that was asked for, functions first; n is how
// many declarations.
func (p *proof) along(n int) string {
	const most = 3
	var names []string
	for _, name := range slices.Concat(p.plan.Functions[min(1, len(p.plan.Functions)):], p.plan.Decls, p.plan.Fields) {
		names = append(names, path.Base(name))
	}
	// What a test needs to compile comes too, and says nothing of the function.
	slices.SortStableFunc(names, func(a, b string) int { return ofTests(a) - ofTests(b) })
	if n > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(names, ", ")
}

// accuse names a function that was proved by putting good's code back, with the
// chain that leads to it and the part of it that gained most. Where a dependency's
// version was put back, it was seen before which function of it gained.
func (h *hunt) accuse(ctx context.Context, p *proof, of part, parallel bool) error {
	good, bad := callgraph.Narrow(of.goodFunc, of.badFunc)
	c := report.Culprit{
		Function:   bad.Name,
		Kind:       report.OwnCode,
		Position:   h.position(bad.Pos),
		Share:      p.Recovered.Mean,
		Delta:      *h.atSpeed(h.delta(p.Comparison)),
		Confirming: h.delta(p.Comparison),
		Confirmed:  p.Comparison.Verdict == stats.Slower,
		Stop:       "putting good's code for it back takes the difference away",
	}
	h.testify(&c, p)
	h.announce(c)
	chain, g, err := h.measureWay(ctx, part{goodFunc: good, badFunc: bad}, parallel)
	c.Chain = append(chain, h.lastStep(&c, g))
	if g.idle {
		c.Evidence = append(c.Evidence, "the chain is not gone through while the timer runs: what is set up by it is slower to use, or there is another way")
	}
	for _, s := range p.suspects[min(1, len(p.suspects)):] {
		c.Evidence = append(c.Evidence, "neither alone brings the difference back: it takes good's code for "+s.Name+" together with it")
	}
	h.report.Culprits = append(h.report.Culprits, c)
	h.weigh()
	return err
}

// atSpeed is what was measured of bad at another time, at the speed that the machine had
// when the whole was: so that it and its share of the whole belong together.
func (h *hunt) atSpeed(d *report.Delta) *report.Delta {
	if h.metric.counts() || !(d.Bad > 0) {
		return d
	}
	speed := h.whole.Bad.Mean / d.Bad
	d.Good, d.Bad = d.Good*speed, d.Bad*speed
	d.Diff = report.Interval{Mean: d.Diff.Mean * speed, Low: d.Diff.Low * speed, High: d.Diff.High * speed}
	return d
}

// announce tells of a culprit as soon as nothing that follows can take its place: it
// is proved, and most of the difference is gone with it.
func (h *hunt) announce(c report.Culprit) {
	if h.report.Search.Named == 0 && c.Confirmed && c.Share > finder.RecoversMost {
		h.report.Search.Named = time.Since(h.start).Seconds()
		h.announced = c.Function
		h.opts.Named(c)
	}
}

// lastStep is the end of the chain: in the culprit, the part that gained most, if
// that is most of what the culprit gained, and else its own code.
func (h *hunt) lastStep(c *report.Culprit, all gains) report.Step {
	c.CallsGood, c.CallsBad = all.callsGood, all.callsBad
	g := all.part
	if g == nil || g.share < c.Share/2 || g.comparison.Diff.Mean < c.Delta.Diff.Mean/2 {
		return ownStep(c)
	}
	c.Call, c.CallsGood, c.CallsBad = g.part.text(), g.good, g.bad
	switch g.part.side() {
	case finder.BadOnly:
		c.Kind = report.AddedCall
	case finder.GoodOnly:
		c.Kind = report.RemovedCall
	default:
		c.Kind = report.Call
	}
	step := report.Step{Function: c.Function, Call: c.Call, Position: h.position(g.part.call().Pos)}
	if c.Kind != report.Call && surelyBeyond(g.comparison.Diff, c.Delta.Diff) {
		return step // it takes the place of what the other revision does without it
	}
	step.Share, step.Delta = g.share, h.delta(g.comparison)
	return step
}

// surelyBeyond reports whether a part takes so much more than the whole difference that
// the other revision must do the same otherwise.
func surelyBeyond(part stats.Interval, whole report.Interval) bool {
	return part.Low > 2*whole.High
}

// ownStep is the end of a chain that leads to a culprit's own code.
func ownStep(c *report.Culprit) report.Step {
	return report.Step{Function: c.Function, Call: "(its own code)", Position: c.Position, Share: c.Share, Delta: &c.Delta}
}

// reached are the functions that the workload can reach, on either side: what is timed,
// and what is declared around it, which may make the handlers and tables that are then
// run where the source alone doesn't tell.
func (h *hunt) reached() map[*callgraph.Function]bool {
	return h.reachedFrom(func(s *side) *callgraph.Function { return outermost(s.timed) })
}

// reachedWhileTimed are those of them that the source alone says are run by what is
// timed. A declaration is, too, if a literal in it is.
func (h *hunt) reachedWhileTimed() map[*callgraph.Function]bool {
	return h.reachedFrom(func(s *side) *callgraph.Function { return s.timed })
}

func (h *hunt) reachedFrom(start func(*side) *callgraph.Function) map[*callgraph.Function]bool {
	reached := make(map[*callgraph.Function]bool)
	for _, s := range []*side{h.good, h.bad} {
		for _, fn := range s.prog.Reach(start(s)) {
			for ; fn != nil; fn = fn.Outer {
				reached[fn] = true
			}
		}
	}
	return reached
}
