package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// ProbePackage is the import path that the overlay gives the probe runtime.
const ProbePackage = "debug"

// A File is one type-checked file.
type File struct {
	Fset   *token.FileSet
	Syntax *ast.File // with comments
	Info   *types.Info
	Pkg    *types.Package
	Src    []byte
	Name   string

	// LangVersion is the language version of the file's module, such as
	// "go1.16". Empty means the toolchain's own.
	LangVersion string
}

// FileOf is a file of a package that was loaded with its syntax and types; contents
// gives what was parsed of a name.
func FileOf(pkg *packages.Package, syntax *ast.File, contents func(name string) []byte) File {
	name := pkg.Fset.File(syntax.Package).Name()
	f := File{
		Fset: pkg.Fset, Syntax: syntax, Info: pkg.TypesInfo, Pkg: pkg.Types, Src: contents(name), Name: name,
	}
	if m := pkg.Module; m != nil && m.GoVersion != "" {
		f.LangVersion = "go" + m.GoVersion
	}
	return f
}

// A CallProbe asks for a probe around one call expression.
type CallProbe struct {
	ID   int
	Call *ast.CallExpr

	// Func is the declaration or literal that the call lies in directly; nil
	// for the initialiser of a package's variable.
	Func ast.Node

	// Group is not zero where the callee may reach itself. Of the probes of a
	// group only the outermost counts on a goroutine.
	Group int

	// Within is not zero where a probe counts on a path only: while one of the
	// group Within runs on the same goroutine.
	Within int
}

// A BodyProbe asks for a probe around the body of a function declaration or
// literal, from entry to return, deferred calls included.
type BodyProbe struct {
	ID     int
	Func   ast.Node
	Group  int // as in CallProbe
	Within int // as in CallProbe
}

// A Refusal is a probe that can't be had.
type Refusal struct {
	ID     int
	Pos    token.Position
	Text   string // of the call or of the function's beginning, in one line
	Reason string // one of few, in words
}
