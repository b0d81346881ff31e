package report

// node is a step of the chains, which share their beginnings. Good and Bad are per
// operation, of the step with all below it.
type node struct {
	Step
	Good, Bad float64
	Below     []*node
	Culprit   *Culprit // that the step is the last of
}

// tree is how the culprits are reached, from the whole operation down. A step that was
// not measured has as much as the one above it. Steps are measured by probes, and the
// whole without any: a step is drawn no larger than what it is in.
func (r *Report) tree() *node {
	root := &node{Step: Step{Function: r.Workload.title(), Call: "(the whole operation)"}}
	if r.Whole != nil {
		root.Good, root.Bad = r.Whole.Good, r.Whole.Bad
	}
	for i := range r.Culprits {
		c := &r.Culprits[i]
		at := root
		for _, s := range c.Chain {
			at = at.below(s)
		}
		at.Culprit = c
	}
	return root
}

// below is the node of a step, which is made where there is none yet.
func (n *node) below(s Step) *node {
	for _, b := range n.Below {
		if b.same(s) {
			return b
		}
	}
	b := &node{Step: s, Good: n.Good, Bad: n.Bad}
	if s.Delta != nil {
		b.Good, b.Bad = min(n.room(false), max(0, s.Delta.Good)), min(n.room(true), max(0, s.Delta.Bad))
	}
	n.Below = append(n.Below, b)
	return b
}

// room is what of the node the steps below it leave.
func (n *node) room(bad bool) float64 {
	total := n.value(bad)
	for _, b := range n.Below {
		total -= b.value(bad)
	}
	return max(0, total)
}

func (n *node) value(bad bool) float64 {
	if bad {
		return n.Bad
	}
	return n.Good
}

// visit calls f with every node below n and the steps that lead to it, its own included.
func (n *node) visit(stack []Step, f func(stack []Step, n *node)) {
	for _, b := range n.Below {
		path := append(stack[:len(stack):len(stack)], b.Step)
		f(path, b)
		b.visit(path, f)
	}
}
