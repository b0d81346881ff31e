package change

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// Affected is a declared function whose execution means that something that differs was
// executed: where no such function of either side runs, what runs is the same code with
// the same data.
type Affected struct {
	*callgraph.Function
	Why string // what it is that: changed, only bad has, uses x.T, which changed
}

// Affected lists them for both sides, in the order of packages, files and lines: functions
// whose own code differs or that one side lacks, test files included; those that refer to
// types, constants and variables that differ, or to other things by the same words; and
// those that ask whether a value has a method that some type gained or lost.
//
// What can't be told by running is said by always: an initialiser that differs and calls
// something runs before any workload, and code that is not Go's has no place to count at.
// The sides' loaded source is looked at; what differs in dependencies is not.
func (c *Change) Affected() (list Pair[[]Affected], always string) {
	c.refresh()
	e := newEffects(c)
	if always = e.initialisers(); always != "" {
		return list, always
	}
	why := make(map[*Decl]string)
	for _, s := range []*Side{c.Good, c.Bad} {
		for _, d := range s.Decls {
			if d.Func() == nil || d.Func().Name.Name == "_" {
				continue
			}
			if reason := e.why(d); reason != "" {
				why[d] = reason
				if other := c.Namesake(d); other != nil && other.Func() != nil && why[other] == "" {
					why[other] = reason
				}
			}
		}
	}
	take := func(s *Side) (list []Affected) {
		for _, d := range s.Decls {
			fn := function(d)
			if why[d] == "" {
				continue
			}
			if fn == nil || !fn.HasBody() {
				always = fmt.Sprintf("%s has no Go body: whether it runs can't be counted", shortName(d.Name()))
				continue
			}
			list = append(list, Affected{fn, why[d]})
		}
		return list
	}
	list = Pair[[]Affected]{take(c.Good), take(c.Bad)}
	return list, always
}

// effects knows what at package level differs.
type effects struct {
	c       *Change
	data    map[types.Object]string // types, constants and variables that differ, by what they are called
	methods map[string]bool         // names of methods that only one side has
	named   map[*types.Named]string // what a type is made of that differs, as far as was asked
}

func newEffects(c *Change) *effects {
	e := &effects{c, make(map[types.Object]string), make(map[string]bool), make(map[*types.Named]string)}
	for _, s := range []*Side{c.Good, c.Bad} {
		for _, d := range s.Decls {
			if fn := d.Func(); fn != nil {
				if fn.Recv != nil && c.Namesake(d) == nil {
					e.methods[fn.Name.Name] = true
				}
				continue
			}
			for i := range d.Keys {
				if e.differs(d, i) {
					e.mark(d, i)
				}
			}
		}
	}
	for e.spread() {
	}
	return e
}

// mark takes up the name of an index that a specification declares.
func (e *effects) mark(d *Decl, index int) (fresh bool) {
	id := declared(d)[index]
	obj := d.Pkg.TypesInfo.Defs[id]
	if obj == nil || e.data[obj] != "" {
		return false
	}
	e.data[obj] = shortName(d.Pkg.PkgPath + "." + id.Name)
	return true
}

// declared are the names that a specification declares, by the indexes of its keys.
func declared(d *Decl) []*ast.Ident {
	switch spec := d.Node.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}
	case *ast.ValueSpec:
		return spec.Names
	}
	return nil
}

func packageLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

// differs says whether what a specification declares by its name of an index is not the
// same on the other side. Of a constant only its value counts.
func (e *effects) differs(d *Decl, index int) bool {
	key := d.Keys[index]
	other := e.c.other(d.Side).ByKey[key]
	if other == nil {
		return true
	}
	if KindOf(d) == Const && KindOf(other) == Const {
		a, b := constantOf(d, key.Name), constantOf(other, key.Name)
		return a == nil || b == nil || types.TypeString(a.Type(), nil) != types.TypeString(b.Type(), nil) ||
			a.Val().Kind() != b.Val().Kind() || !constant.Compare(a.Val(), token.EQL, b.Val())
	}
	return !d.Same(other) || !sameReferences(d, other)
}

func constantOf(d *Decl, name string) *types.Const {
	obj, _ := d.Pkg.Types.Scope().Lookup(name).(*types.Const)
	return obj
}

// other is the other side.
func (c *Change) other(s *Side) *Side {
	if s == c.Good {
		return c.Bad
	}
	return c.Good
}

// spread marks variables that are made of what differs, and says whether there were any.
func (e *effects) spread() bool {
	more := false
	for _, s := range []*Side{e.c.Good, e.c.Bad} {
		for _, d := range s.Decls {
			if d.Func() != nil || KindOf(d) != Var || e.uses(d) == "" {
				continue
			}
			for i := range d.Keys {
				more = e.mark(d, i) || more
			}
		}
	}
	return more
}

// why says why a function is affected, "" if it is not.
func (e *effects) why(d *Decl) string {
	other := e.c.Namesake(d)
	switch {
	case other == nil && d.Side == e.c.Bad:
		return "only bad has"
	case other == nil:
		return "only good has"
	case !d.Same(other):
		return "changed"
	case !sameReferences(d, other):
		return "means something else by the same words"
	}
	if what := e.uses(d); what != "" {
		return "uses " + what + ", which changed"
	}
	if method := e.asks(d); method != "" {
		return "asks for a method " + method + ", which a type gained or lost"
	}
	return ""
}

// uses names something that differs and that a declaration refers to, by its name or by
// the type of an expression.
func (e *effects) uses(d *Decl) (what string) {
	info := d.Pkg.TypesInfo
	ast.Inspect(d.Node, func(n ast.Node) bool {
		if what != "" {
			return false
		}
		if id, ok := n.(*ast.Ident); ok {
			if obj := info.Uses[id]; obj != nil {
				what = e.data[Origin(obj)]
			}
		}
		if expr, ok := n.(ast.Expr); ok && what == "" {
			what = e.within(info.TypeOf(expr))
		}
		return what == ""
	})
	return what
}

// within names a type that differs and that the code for values of t depends on: t itself,
// what it points to or has as elements, and what lies in these by value.
func (e *effects) within(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if what := e.data[t.Origin().Obj()]; what != "" {
			return what
		}
		if what, done := e.named[t]; done {
			return what
		}
		e.named[t] = "" // it may be made of itself
		for arg := range t.TypeArgs().Types() {
			if e.named[t] == "" {
				e.named[t] = e.within(arg)
			}
		}
		if e.named[t] == "" {
			e.named[t] = e.byValue(t.Underlying())
		}
		return e.named[t]
	case *types.Pointer:
		return e.within(t.Elem())
	case *types.Slice:
		return e.within(t.Elem())
	case *types.Array:
		return e.within(t.Elem())
	case *types.Chan:
		return e.within(t.Elem())
	case *types.Map:
		if what := e.within(t.Key()); what != "" {
			return what
		}
		return e.within(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if what := e.within(v.Type()); what != "" {
				return what
			}
		}
	case *types.Struct:
		return e.byValue(t)
	}
	return ""
}

// byValue is within for what a type is defined as: what fields only point to is not part
// of it.
func (e *effects) byValue(t types.Type) string {
	st, ok := t.(*types.Struct)
	if !ok {
		return e.within(t)
	}
	for field := range st.Fields() {
		switch types.Unalias(field.Type()).(type) {
		case *types.Named, *types.Array, *types.Struct:
			if what := e.within(field.Type()); what != "" {
				return what
			}
		}
	}
	return ""
}

// asks names a method that only one side has of some type, and that a function asks a
// value for: no such method need run for the answer to be another.
func (e *effects) asks(d *Decl) (method string) {
	info := d.Pkg.TypesInfo
	ast.Inspect(d.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeAssertExpr:
			if n.Type != nil {
				method = e.lacking(info.TypeOf(n.Type), method)
			}
		case *ast.CaseClause:
			for _, expr := range n.List {
				if tv, ok := info.Types[expr]; ok && tv.IsType() {
					method = e.lacking(tv.Type, method)
				}
			}
		}
		return method == ""
	})
	return method
}

func (e *effects) lacking(t types.Type, found string) string {
	if t == nil || found != "" {
		return found
	}
	if iface, ok := t.Underlying().(*types.Interface); ok {
		for m := range iface.Methods() {
			if e.methods[m.Name()] {
				return m.Name()
			}
		}
	}
	return ""
}

// initialisers says which variable's initialiser differs and does more than to make a
// value: it runs before any workload.
func (e *effects) initialisers() string {
	for _, s := range []*Side{e.c.Bad, e.c.Good} {
		for _, d := range s.Decls {
			spec, ok := d.Node.(*ast.ValueSpec)
			if !ok || KindOf(d) != Var || !e.anew(d) {
				continue
			}
			for _, value := range spec.Values {
				if acts(value, d) {
					return fmt.Sprintf("what initialises %s differs, and runs before any benchmark", shortName(d.Name()))
				}
			}
		}
	}
	return ""
}

// anew says whether the variables of a specification may be made otherwise than on the
// other side. Those without a name are told apart by what they are.
func (e *effects) anew(d *Decl) bool {
	if strings.HasPrefix(d.Keys[0].Name, "_@") {
		return !slices.ContainsFunc(e.c.other(d.Side).Decls, func(o *Decl) bool {
			return o.Pkg.PkgPath == d.Pkg.PkgPath && strings.HasPrefix(o.Keys[0].Name, "_@") && o.Same(d) && sameReferences(d, o)
		})
	}
	return slices.ContainsFunc(declared(d), func(id *ast.Ident) bool { return e.data[d.Pkg.TypesInfo.Defs[id]] != "" })
}

// acts says whether an initialiser may do more than to make the value. What a literal
// does, it does where it is called.
func acts(value ast.Expr, in *Decl) (found bool) {
	info := in.Pkg.TypesInfo
	ast.Inspect(value, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok || found {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || info.Types[call.Fun].IsType() || info.Types[call.Fun].IsBuiltin() {
			return true
		}
		var callee types.Object
		switch fun := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			callee = info.Uses[fun]
		case *ast.SelectorExpr:
			callee = info.Uses[fun.Sel]
		}
		fn, ok := callee.(*types.Func)
		found = !ok || !makes(fn, in.Side)
		return !found
	})
	return found
}

// makes says whether a function is one of the standard library that makes a value: in few
// of its packages such a function changes what other code does.
func makes(fn *types.Func, s *Side) bool {
	if fn.Pkg() == nil {
		return true // error.Error
	}
	pkg := s.Packages[fn.Pkg().Path()]
	return pkg != nil && pkg.Module == nil && s.Loaded[pkg.PkgPath] == nil && fn.Signature().Results().Len() > 0 &&
		!slices.Contains(registering, pkg.PkgPath)
}

// registering are packages whose functions may set or register something besides.
var registering = []string{
	"os", "syscall", "runtime", "runtime/debug", "runtime/metrics", "log", "log/slog", "flag", "expvar", "testing",
	"database/sql", "encoding/gob", "math/rand", "net", "os/exec", "os/signal", "plugin", "unique", "sync",
}

// sameReferences says whether the words of two declarations that have the same tokens
// mean the same: another import, or something that shadows, makes them mean others.
func sameReferences(a, b *Decl) bool { return slices.Equal(references(a), references(b)) }

func references(d *Decl) (list []string) {
	ast.Inspect(d.Node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := d.Pkg.TypesInfo.Uses[id]; obj != nil {
				list = append(list, meaning(obj))
			}
		}
		return true
	})
	return list
}

// meaning is what tells an object from others of the same name.
func meaning(obj types.Object) string {
	switch obj := Origin(obj).(type) {
	case *types.PkgName:
		return obj.Imported().Path()
	case *types.Func:
		return "func " + obj.FullName()
	case *types.Var:
		if obj.IsField() && obj.Pkg() != nil {
			return "field " + obj.Pkg().Path()
		}
	}
	if packageLevel(obj) {
		return obj.Pkg().Path()
	}
	if obj.Parent() == types.Universe {
		return "universe"
	}
	return "local"
}

// shortName is a name without the directories of its import path.
func shortName(name string) string { return path.Base(name) }
