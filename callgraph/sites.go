package callgraph

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// blocks gives the blocks of f in evaluation order: a block after all that
// lead to it forwards, and where that leaves a choice the one first whose
// code is written first. Edges back to a dominating block (loops) don't count.
// In code that goto made irreducible, source order alone decides where every
// remaining block waits for another.
func blocks(f *ssa.Function) []*ssa.BasicBlock {
	waits := make(map[*ssa.BasicBlock]int)
	for _, b := range f.Blocks {
		for _, to := range b.Succs {
			if !to.Dominates(b) {
				waits[to]++
			}
		}
	}
	var order []*ssa.BasicBlock
	left := slices.Clone(f.Blocks)
	for len(left) > 0 {
		i := next(left, waits)
		b := left[i]
		left = slices.Delete(left, i, i+1)
		order = append(order, b)
		for _, to := range b.Succs {
			if !to.Dominates(b) {
				waits[to]--
			}
		}
	}
	return order
}

func next(left []*ssa.BasicBlock, waits map[*ssa.BasicBlock]int) int {
	best := 0
	for i, b := range left {
		ready, bestReady := waits[b] <= 0, waits[left[best]] <= 0
		if ready != bestReady {
			if ready {
				best = i
			}
			continue
		}
		if start(b) < start(left[best]) {
			best = i
		}
	}
	return best
}

// start is the first position in the block; 0 in blocks that only jump, which
// makes them go first: they hold up others and have no calls themselves.
func start(b *ssa.BasicBlock) token.Pos {
	first := token.NoPos
	for _, instr := range b.Instrs {
		if pos := position(instr); pos.IsValid() && (first == token.NoPos || pos < first) {
			first = pos
		}
	}
	return first
}

func position(instr ssa.Instruction) token.Pos {
	switch instr := instr.(type) {
	case *ssa.Phi, *ssa.DebugRef:
		return token.NoPos // positions of variables declared elsewhere
	case *ssa.Alloc:
		return token.NoPos
	default:
		return instr.Pos()
	}
}

// site is a call instruction.
type site struct {
	ssa.CallInstruction
	iterator bool // the call of a range-over-func loop's iterator
}

// sites gives the calls that f makes, builtins excepted, in evaluation order.
// The bodies of range-over-func loops, functions of their own in SSA, follow
// the call of their iterator.
func sites(f *ssa.Function) []site {
	var list []site
	for _, b := range blocks(f) {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, ok := call.Common().Value.(*ssa.Builtin); ok {
				continue
			}
			body := loopBody(call.Common())
			list = append(list, site{call, body != nil})
			if body != nil {
				list = append(list, sites(body)...)
			}
		}
	}
	return list
}

// loopBody gives the body of a range-over-func loop if call is that of its iterator.
func loopBody(call *ssa.CallCommon) *ssa.Function {
	if len(call.Args) == 0 {
		return nil
	}
	f, ok := call.Args[len(call.Args)-1].(*ssa.Function)
	if c, closure := call.Args[len(call.Args)-1].(*ssa.MakeClosure); closure {
		f, ok = c.Fn.(*ssa.Function)
	}
	if ok && isLoopBody(f) {
		return f
	}
	return nil
}

// isLoopBody reports whether f is what SSA makes of a range-over-func loop's body.
func isLoopBody(f *ssa.Function) bool {
	_, loop := f.Syntax().(*ast.RangeStmt)
	return loop
}
