package hunt

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
)

// Plan is what a hunt would go through, as far as the source tells. Which calls
// are guilty, and so which layers are opened below the first, only running can
// show.
type Plan struct {
	Workload string
	Good     report.Revision
	Bad      report.Revision
	Func     string // the inspected function
	Calls    []PlannedCall
	Refused  []report.Refused
	// Least and Most are how long the hunt takes if one layer decides it at the
	// first look, and at worst: the budget.
	Least, Most time.Duration
}

// PlannedCall is one call expression of layer 0.
type PlannedCall struct {
	Position, Text string
	Side           string // of which revision, where only one has it
	Same           bool   // reaches only code that is the same in both revisions
}

// assumed are the costs of a hunt that nothing has been measured of yet: a build
// of one side beside the other's, and one process.
const (
	assumedBuild   = 3 * time.Second
	assumedProcess = 200 * time.Millisecond
)

// DryRun loads both revisions and says what a hunt would go through. It builds
// and runs nothing of the user's.
func DryRun(ctx context.Context, opts Options) (*Plan, error) {
	h, err := newHunt(opts)
	if err != nil {
		return nil, err
	}
	defer h.close()
	if err := h.open(ctx); err != nil {
		return nil, err
	}
	h.log.Phase("loading both revisions")
	if err := h.load(ctx); err != nil {
		return nil, err
	}
	root, err := h.plannedRoot()
	if err != nil {
		return nil, err
	}
	refused, err := h.dropRefused(root)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		Workload: opts.Workload.Pattern, Good: h.report.Good, Bad: h.report.Bad,
		Func: root.bad.Name, Refused: refused,
		Least: 2*assumedBuild + 6*time.Duration(compare.Deciding[0])*assumedProcess, Most: h.opts.Budget,
	}
	for _, q := range root.parts {
		p.Calls = append(p.Calls, h.plannedCall(q))
	}
	return p, nil
}

func (h *hunt) plannedCall(p part) PlannedCall {
	c := PlannedCall{Position: h.position(p.call().Pos), Text: p.text()}
	switch {
	case p.goodCall == nil:
		c.Side = "bad"
	case p.badCall == nil:
		c.Side = "good"
	default:
		pairs := h.callees(p)
		c.Same = len(pairs) == 0 || h.sameBelow(pairs)
	}
	return c
}

// plannedRoot is the inspected function as the source tells it: the literal that
// the benchmark hands to b.Run or b.RunParallel, if it is the only one.
func (h *hunt) plannedRoot() (*frame, error) {
	find := func(s *side) (*callgraph.Function, error) {
		switch {
		case h.opts.Func != "":
			return s.prog.Func(h.opts.Func)
		case h.opts.Workload.Kind == harness.Main:
			return s.prog.Func("main")
		}
		fn, err := s.prog.Func(strings.Trim(harness.FirstElement(h.opts.Workload.Pattern), "^$"))
		if err != nil {
			return nil, fmt.Errorf("%w; name the function with --func", err)
		}
		body, candidates, err := s.prog.TimedBody(fn)
		if err == nil && body == nil {
			err = fmt.Errorf("%s times one of %d functions, which one only running shows; name it with --func", fn.Name, len(candidates))
		}
		return body, err
	}
	good, err := find(h.good)
	if err != nil {
		return nil, err
	}
	bad, err := find(h.bad)
	if err != nil {
		return nil, err
	}
	return h.newFrame(nil, 0, good, bad)
}

// WriteText writes the plan for a reader.
func (p *Plan) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: good %s, bad %s\n", p.Workload, p.Good.Rev, p.Bad.Rev)
	fmt.Fprintf(&b, "layer 0: %s, %d call expressions to probe\n", p.Func, len(p.Calls))
	for _, c := range p.Calls {
		note := ""
		switch {
		case c.Side != "":
			note = "  only in " + c.Side
		case c.Same:
			note = "  same code in both"
		}
		fmt.Fprintf(&b, "  %s  %s%s\n", c.Position, c.Text, note)
	}
	for _, r := range p.Refused {
		fmt.Fprintf(&b, "not to be probed: %s  %s: %s\n", r.Position, r.Text, r.Reason)
	}
	fmt.Fprintf(&b, "estimated time: %.1f to %.0f minutes (the budget); nothing was run\n", p.Least.Minutes(), p.Most.Minutes())
	_, err := io.WriteString(w, b.String())
	return err
}
