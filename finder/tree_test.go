package finder

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/stats"
)

// node is a function of a cost tree: what it spends itself in either revision,
// and the calls that it makes.
type node struct {
	name      string
	side      Side
	good, bad float64 // own code
	stop      Stop    // why a call of it is not dug
	calls     []*node
}

// parseTree reads one function a line, calls indented by one tab more than
// their caller: "name good bad [nosource|excluded|samecode|goodonly]". A cost
// of "-" means that this revision doesn't have the call.
func parseTree(text string) (*node, error) {
	root := &node{}
	path := []*node{root}
	for line := range strings.Lines(text) {
		indent := len(line) - len(strings.TrimLeft(line, "\t"))
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) < 3 || indent >= len(path) {
			return nil, fmt.Errorf("parsing tree: %q", line)
		}
		n := &node{name: fields[0]}
		var err1, err2 error
		n.good, err1 = cost(fields[1])
		n.bad, err2 = cost(fields[2])
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("parsing tree: %q: %v", line, err)
		}
		switch {
		case fields[1] == "-":
			n.side = BadOnly
		case fields[2] == "-" || slices.Contains(fields[3:], "goodonly"):
			n.side = GoodOnly
		}
		for _, f := range fields[3:] {
			n.stop = map[string]Stop{"nosource": StopNoSource, "excluded": StopExcluded, "samecode": StopSameCode}[f]
		}
		parent := path[indent]
		parent.calls = append(parent.calls, n)
		path = append(path[:indent+1], n)
	}
	if len(root.calls) != 1 {
		return nil, fmt.Errorf("parsing tree: %d functions at the top", len(root.calls))
	}
	return root.calls[0], nil
}

func cost(s string) (float64, error) {
	if s == "-" {
		return 0, nil
	}
	return strconv.ParseFloat(s, 64)
}

// total is what a call of n costs.
func (n *node) total() (good, bad float64) {
	good, bad = n.good, n.bad
	for _, c := range n.calls {
		g, b := c.total()
		good, bad = good+g, bad+b
	}
	return good, bad
}

func (n *node) layer() Layer {
	l := Layer{Name: n.name}
	for _, c := range n.calls {
		l.Calls = append(l.Calls, Call{Name: c.name, Side: c.side})
	}
	return l
}

// find returns the outermost function of that name.
func (n *node) find(name string) *node {
	if n.name == name {
		return n
	}
	for _, c := range n.calls {
		if f := c.find(name); f != nil {
			return f
		}
	}
	return nil
}

// bench measures a cost tree as a harness would measure a program: pairs of
// processes with noise, more of them until all is decided, and an error that
// is spent over the hunt.
type bench struct {
	root    *node
	rng     *rand.Rand
	noise   float64 // relative standard deviation of each call in each process
	effect  float64 // minimum effect, as a fraction of the good whole
	most    int     // pairs
	ledger  stats.Ledger
	fail    int               // number of the comparison that fails, from 1; 0 is none
	say     map[string]string // "comparison part" -> verdict, for answers that contradict
	began   int               // comparisons
	byStage [3]int
}

func (b *bench) stage(s stats.Stage) MeasureFunc {
	return func(_ context.Context, l Layer, on Region, parts []Region) (Reading, error) {
		b.began++
		b.byStage[s]++
		if b.began == b.fail {
			return Reading{}, errors.New("workload failed")
		}
		r := b.measure(s, b.root.find(l.Name), on, parts)
		b.contradict(&r)
		return r, nil
	}
}

func (b *bench) measure(s stats.Stage, n *node, on Region, parts []Region) Reading {
	whole, _ := b.root.total()
	looks := stats.Looks(6, b.most)
	rule := stats.Rule{
		Alpha:     b.ledger.Open(s, len(looks), len(parts)+2),
		MinEffect: b.effect * whole,
	}
	good, bad := newColumns(len(parts)), newColumns(len(parts))
	var r Reading
	for _, pairs := range looks {
		for len(good.whole) < pairs {
			b.process(n, parts, good, func(n *node) (own, all float64) { all, _ = n.total(); return n.good, all })
			b.process(n, parts, bad, func(n *node) (own, all float64) { _, all = n.total(); return n.bad, all })
		}
		r = compare(rule, good, bad, on.Len() == len(n.calls))
		if decided(r) {
			break
		}
	}
	return r
}

// columns are the values of one side, one a process.
type columns struct {
	whole, own []float64
	parts      [][]float64
}

func newColumns(parts int) *columns { return &columns{parts: make([][]float64, parts)} }

func (b *bench) process(n *node, parts []Region, c *columns, costs func(*node) (own, all float64)) {
	own, _ := costs(n)
	own *= 1 + b.noise*b.rng.NormFloat64()
	whole := own
	calls := make([]float64, len(n.calls))
	for i, call := range n.calls {
		_, all := costs(call)
		calls[i] = all * (1 + b.noise*b.rng.NormFloat64())
		whole += calls[i]
	}
	for i, r := range parts {
		var sum float64
		for _, v := range calls[r.From:r.To] {
			sum += v
		}
		c.parts[i] = append(c.parts[i], sum)
	}
	c.whole = append(c.whole, whole)
	c.own = append(c.own, own)
}

func compare(rule stats.Rule, good, bad *columns, all bool) Reading {
	r := Reading{Whole: rule.Compare(good.whole, bad.whole)}
	for i := range good.parts {
		r.Parts = append(r.Parts, rule.Compare(good.parts[i], bad.parts[i]))
	}
	if all {
		own := rule.Compare(good.own, bad.own)
		r.Own = &own
	}
	return r
}

func decided(r Reading) bool {
	for _, c := range r.Parts {
		if c.Verdict == stats.Unknown {
			return false
		}
	}
	return r.Whole.Verdict != stats.Unknown && (r.Own == nil || r.Own.Verdict != stats.Unknown)
}

// contradict overwrites the verdicts that a case wants to be wrong.
func (b *bench) contradict(r *Reading) {
	set := func(what string, c *stats.Comparison) {
		switch b.say[fmt.Sprintf("%d %s", b.began, what)] {
		case "same":
			c.Verdict = stats.Same
		case "slower":
			c.Verdict = stats.Slower
		case "faster":
			c.Verdict = stats.Faster
		case "unknown":
			c.Verdict = stats.Unknown
		}
	}
	set("whole", &r.Whole)
	for i := range r.Parts {
		set(strconv.Itoa(i), &r.Parts[i])
	}
	if r.Own != nil {
		set("own", r.Own)
	}
}

func (b *bench) dig(_ context.Context, l Layer, call int) (*Layer, Stop, error) {
	below := b.root.find(l.Name).calls[call]
	if below.stop != StopNone {
		return nil, below.stop, nil
	}
	layer := below.layer()
	return &layer, StopNone, nil
}
