package callgraph

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Kind says how a call finds its callee.
type Kind int

const (
	Static    Kind = iota // the callee is written there
	Interface             // a method of an interface or of a type parameter
	FuncValue             // a variable, field, parameter or result of function type
)

func (k Kind) String() string { return [...]string{"static", "interface", "funcvalue"}[k] }

// Layer is the list of call expressions of one function, in evaluation order.
type Layer struct {
	Func  *Function
	Calls []*Call

	// Implicit are calls without a call expression: iterators of
	// range-over-func loops. Expr is nil, Pos is that of the range statement.
	Implicit []*Call
}

// Call is one call expression.
type Call struct {
	Pos   token.Position // of the callee's name: a line of a method chain is its own place
	Text  string         // the expression on one line, shortened for people
	Expr  *ast.CallExpr
	Kind  Kind
	Defer bool
	Go    bool

	// Callees is the callee of a static call; of others the candidates, sorted
	// by name, possibly none. Promoted methods, method values and instances are
	// resolved to the method or generic function that is written down.
	Callees []*Function

	// Instances of a generic callee that are called here, as the compiler
	// writes them: parseInt[int].
	Instances []string

	// Literals are the functions passed as arguments, sorted by name: function
	// literals, and functions and methods used as values. The callee may call
	// them, whether its source is loaded (then its layer shows the call) or not.
	Literals []*Function

	// Key matches the call with its twin in another revision: callee and text.
	Key string

	target string // callee's contract name; for dynamic calls the interface's method or the expression
	normal string // the whole text, see Normal
}

// Callee is the only function that the call can reach, or nil.
func (c *Call) Callee() *Function {
	if c.Kind == Static && len(c.Callees) == 1 {
		return c.Callees[0]
	}
	return nil
}

// Target names what is called: the callee of a static call, the method of an
// interface call (io.Writer.Write), the expression of a function value.
func (c *Call) Target() string { return c.target }

// Normal is the whole expression in a form that formatting doesn't change.
func (c *Call) Normal() string { return c.normal }

// Layer gives the call expressions of fn. The error says why it has no layer:
// no source is loaded, it has no body, or there is none: one revision may lack a
// function that the other has.
func (p *Program) Layer(fn *Function) (*Layer, error) {
	if fn == nil {
		return nil, errors.New("there is no such function")
	}
	if fn.Node == nil {
		return nil, fmt.Errorf("%s: source is not loaded", fn.Name)
	}
	if fn.Body() == nil {
		return nil, fmt.Errorf("%s: %s has no Go body", p.place(fn.Pos), fn.Name)
	}
	layer := &Layer{Func: fn}
	if len(fn.bodies) == 0 {
		return layer, nil // a literal that can't be reached
	}
	seen, written := make(map[*ast.CallExpr]bool), callsIn(fn.Node)
	for _, site := range sites(fn.bodies[0]) {
		call := p.call(fn, site, written[site.Common().Pos()])
		switch {
		case site.iterator:
			layer.Implicit = append(layer.Implicit, call)
			continue
		case call.Expr == nil || seen[call.Expr]:
			continue
		}
		seen[call.Expr] = true
		layer.Calls = append(layer.Calls, call)
	}
	return layer, nil
}

func (p *Program) place(pos token.Position) string {
	pos.Filename = p.relative(pos.Filename)
	return pos.String()
}

func (p *Program) call(fn *Function, s site, expr *ast.CallExpr) *Call {
	common := s.Common()
	call := &Call{Kind: kind(common), Expr: expr}
	_, call.Defer = s.CallInstruction.(*ssa.Defer)
	_, call.Go = s.CallInstruction.(*ssa.Go)
	call.Callees, call.Instances = p.callees(fn, s)
	call.Literals = p.handedOver(common)
	if call.Expr == nil {
		call.Pos = p.Fset.PositionFor(s.Pos(), fn.Cgo)
		call.Text = "range"
		call.target = call.Text
		return call
	}
	call.Pos = p.Fset.PositionFor(namePos(call.Expr), fn.Cgo)
	call.Text = p.short(call.Expr)
	call.normal = Normal(p.Text(call.Expr))
	call.target = p.target(call, common)
	call.Key = call.target + " " + call.normal
	return call
}

func kind(common *ssa.CallCommon) Kind {
	switch {
	case common.IsInvoke():
		return Interface
	case common.StaticCallee() != nil:
		if method := interfaceMethod(common.StaticCallee()); method != nil {
			return Interface // a bound method of an interface, called at once
		}
		return Static
	}
	return FuncValue
}

// callsIn are the call expressions of a node by their opening parentheses, which are the
// positions of call instructions. To look for each of them by itself takes most of the
// time where thousands are nested.
func callsIn(node ast.Node) map[token.Pos]*ast.CallExpr {
	calls := make(map[token.Pos]*ast.CallExpr)
	ast.Inspect(node, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			calls[call.Lparen] = call
		}
		return true
	})
	return calls
}

// namePos is where the called thing is named: for x.f the f.
func namePos(call *ast.CallExpr) token.Pos {
	switch fun := uninstantiated(call.Fun).(type) {
	case *ast.SelectorExpr:
		return fun.Sel.Pos()
	default:
		return fun.Pos()
	}
}

func uninstantiated(fun ast.Expr) ast.Expr {
	fun = ast.Unparen(fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		return ast.Unparen(x.X)
	case *ast.IndexListExpr:
		return ast.Unparen(x.X)
	}
	return fun
}

func (p *Program) target(call *Call, common *ssa.CallCommon) string {
	switch {
	case common.IsInvoke():
		return objectName(common.Method)
	case call.Callee() != nil:
		return call.Callee().Name
	case common.StaticCallee() != nil && common.StaticCallee().Object() != nil:
		return common.StaticCallee().RelString(nil)
	}
	return Normal(p.Text(call.Expr.Fun))
}

// longText is where the text of a call is cut.
const longText = 60

// short writes a call on one line: bodies of literals as {...}, a receiver
// that is itself a call or otherwise long as ..., and no more than longText
// characters.
func (p *Program) short(call *ast.CallExpr) string {
	text := p.flat(call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if ok && (len(text) > longText || strings.Contains(p.flat(sel.X), ")")) {
		if _, plain := sel.X.(*ast.Ident); !plain {
			receiver := p.flat(sel.X)
			if len(receiver) > 20 {
				text = "..." + strings.TrimPrefix(text, receiver)
			}
		}
	}
	if runes := []rune(text); len(runes) > longText {
		text = string(runes[:longText-3]) + "..."
	}
	return text
}

// flat is the source of a node on one line, without comments and with the
// bodies of literals elided.
func (p *Program) flat(n ast.Node) string {
	src := p.Text(n)
	var out bytes.Buffer
	at := n.Pos()
	ast.Inspect(n, func(node ast.Node) bool {
		lit, ok := node.(*ast.FuncLit)
		if !ok {
			return true
		}
		out.Write(src[at-n.Pos() : lit.Body.Lbrace-n.Pos()])
		out.WriteString("{...}")
		at = lit.Body.Rbrace + 1
		return false
	})
	out.Write(src[at-n.Pos():])
	text := strings.Join(strings.Fields(uncommented(out.Bytes())), " ")
	return brokenLines.Replace(text)
}

// brokenLines removes what breaking an argument list over lines adds.
var brokenLines = strings.NewReplacer("( ", "(", ", )", ")", "{ ", "{", ", }", "}", " )", ")")

// uncommented is src with a blank for every comment.
func uncommented(src []byte) string {
	var out bytes.Buffer
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	at := 0
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			out.Write(src[at:])
			return out.String()
		case token.COMMENT:
			out.Write(src[at:file.Offset(pos)])
			out.WriteByte(' ')
			at = file.Offset(pos) + len(lit)
		}
	}
}
