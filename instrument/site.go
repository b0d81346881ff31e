package instrument

import (
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"
)

// A site is a call with the form of its probe.
type site struct {
	CallProbe
	cur  inspector.Cursor // of the call
	form form

	// open is the node while which is evaluated the probe is open.
	open ast.Node
	// stmt is the simple statement of a form that is not an expression.
	stmt inspector.Cursor
	// operands are evaluated between the probe's start and the call.
	operands []ast.Expr
	// later is a probe of a group that begins only when the operands were evaluated.
	later bool
	// types of the results, where the form must name them.
	types string
}

type form int

const (
	formExpr     form = iota // Stop(Begin(), f())
	formSeveral              // Stop2[A, B](Begin()).Do(f())
	formStmt                 // Begin(); f(); End()
	formVarSpec              // the same for one of several in var ( ... )
	formReturn               // { Begin(); r0, r1 := f(); End(); return r0, r1 }
	formDefer                // defer End(); defer f(); defer Begin()
	formInitIf               // Begin(); if a, b := f(); EndTrue() && (cond) {
	formInitTag              // Begin(); switch a, b := f(); After(EndTrue(), tag) {
	formInitType             // the same for a type switch
	formInitFor              // Begin(); for a, b := f(); EndTrue() && (cond); {
	formPost                 // for ; EndTrue() && (cond); a, b = f() { ...; Begin() }
)
