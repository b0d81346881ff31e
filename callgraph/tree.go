package callgraph

// Tree is the layers below a function, to some depth.
type Tree struct {
	Func  *Function
	Stop  Stop // why there are no steps; Open when there are, or no calls
	Steps []Step
}

// Step is one call of a layer and what lies below its callees, candidates and
// literals, in this order.
type Step struct {
	Call *Call
	Into []*Tree
}

// Stop says why a tree ends.
type Stop int

const (
	Open      Stop = iota
	Depth          // the limit
	Recursion      // the function is on the way from the root to here
	Repeated       // the function's layer stands earlier in the tree
	NoSource       // no source is loaded, or no Go body
)

func (s Stop) String() string {
	return [...]string{"", "depth limit", "recursive", "shown above", "no source"}[s]
}

// Walk gives the layers from fn down to depth: 1 is fn's own layer only, 0 no
// limit. Every layer is given once, where a walk from the top meets it first.
func (p *Program) Walk(fn *Function, depth int) (*Tree, error) {
	if _, err := p.Layer(fn); err != nil {
		return nil, err
	}
	w := walker{program: p, limit: depth, path: make(map[*Function]bool), done: make(map[*Function]bool)}
	return w.walk(fn, 1)
}

type walker struct {
	program    *Program
	limit      int
	path, done map[*Function]bool
}

func (w *walker) walk(fn *Function, level int) (*Tree, error) {
	tree := &Tree{Func: fn, Stop: w.stop(fn, level)}
	if tree.Stop != Open {
		return tree, nil
	}
	w.path[fn], w.done[fn] = true, true
	defer delete(w.path, fn)
	layer, err := w.program.Layer(fn)
	if err != nil {
		return nil, err
	}
	for _, call := range layer.Calls {
		step := Step{Call: call}
		for _, list := range [][]*Function{call.Callees, call.Literals} {
			for _, callee := range list {
				below, err := w.walk(callee, level+1)
				if err != nil {
					return nil, err
				}
				step.Into = append(step.Into, below)
			}
		}
		tree.Steps = append(tree.Steps, step)
	}
	return tree, nil
}

func (w *walker) stop(fn *Function, level int) Stop {
	switch {
	case !fn.HasBody():
		return NoSource
	case w.path[fn]:
		return Recursion
	case w.done[fn]:
		return Repeated
	case w.limit > 0 && level > w.limit:
		return Depth
	}
	return Open
}
