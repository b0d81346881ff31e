package callgraph

import "slices"

// Only reports whether call, an expression of function in, is the only way to fn
// for what root runs. It errs on the side of false: see [Program.Reach].
func (p *Program) Only(root, in *Function, call *Call, fn *Function) bool {
	for caller := range p.reach(root) {
		if caller != in && p.next(caller)[fn] {
			return false
		}
	}
	layer, err := p.Layer(in)
	if err != nil {
		return false
	}
	for _, c := range slices.Concat(layer.Calls, layer.Implicit) {
		if c.Expr != call.Expr && (slices.Contains(c.Callees, fn) || slices.Contains(c.Literals, fn)) {
			return false
		}
	}
	for _, body := range in.bodies {
		for mentioned := range mentions(body) {
			if p.resolve(mentioned) == fn {
				return false
			}
		}
	}
	return true
}

// Enters reports whether the call runs fn on the goroutine that makes it: whoever
// is handed a function may run it on another.
func (c *Call) Enters(fn *Function) bool {
	return !c.Go && slices.Contains(c.Callees, fn)
}
