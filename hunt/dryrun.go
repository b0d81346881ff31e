package hunt

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
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
	h, err := begin(opts)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if err := h.Open(ctx); err != nil {
		return nil, err
	}
	h.Log.Phase("loading both revisions")
	if err := h.Load(ctx); err != nil {
		return nil, err
	}
	h.prober = h.newProber()
	root, err := h.plannedRoot()
	if err != nil {
		return nil, err
	}
	refused, err := h.prober.Refuse(root)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		Workload: opts.Workload.Pattern, Good: h.Report.Good, Bad: h.Report.Bad,
		Func: root.Code.Bad.Name, Refused: refused,
		Least: 2*assumedBuild + 6*time.Duration(compare.Deciding[0])*assumedProcess, Most: h.Options.Budget,
	}
	for _, q := range root.Parts {
		p.Calls = append(p.Calls, h.plannedCall(q))
	}
	return p, nil
}

func (h *hunt) plannedCall(p layers.Part) PlannedCall {
	c := PlannedCall{Position: h.Position(p.Call().Pos), Text: p.Text()}
	switch {
	case p.Calls.Good == nil:
		c.Side = "bad"
	case p.Calls.Bad == nil:
		c.Side = "good"
	default:
		pairs := h.prober.Callees(p)
		c.Same = len(pairs) == 0 || h.prober.SameBelow(pairs)
	}
	return c
}

// plannedRoot is the inspected function as the source tells it: the literal that
// the benchmark hands to b.Run or b.RunParallel, if it is the only one.
func (h *hunt) plannedRoot() (*layers.Layer, error) {
	find := func(s *sides.Side) (*callgraph.Function, error) {
		switch {
		case h.Options.Func != "":
			return s.Prog.Func(h.Options.Func)
		case h.Sampler.Workload.Kind == harness.Main:
			return s.Prog.Func("main")
		}
		fn, err := s.Prog.Func(strings.Trim(harness.FirstElement(h.Sampler.Workload.Pattern), "^$"))
		if err != nil {
			return nil, fmt.Errorf("%w; name the function with --func", err)
		}
		body, candidates, err := s.Prog.TimedBody(fn)
		if err == nil && body == nil {
			err = fmt.Errorf("%s times one of %d functions, which one only running shows; name it with --func", fn.Name, len(candidates))
		}
		return body, err
	}
	good, err := find(h.Good)
	if err != nil {
		return nil, err
	}
	bad, err := find(h.Bad)
	if err != nil {
		return nil, err
	}
	return h.prober.Align(nil, 0, change.Functions{Good: good, Bad: bad})
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
