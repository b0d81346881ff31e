package revert

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
)

// maxRounds bounds the closure; each round takes at least one more declaration.
const maxRounds = 60

// close renders and checks until nothing is left to object to. Without grow,
// only imports that became unused are settled.
func (x *composition) close(grow bool) (map[string][]*file, error) {
	var errs []complaint
	for range maxRounds {
		if err := x.supplyData(); err != nil {
			return nil, err
		}
		files := x.render()
		errs = x.check(files)
		if len(errs) == 0 {
			return files, nil
		}
		rest := x.settleImports(errs)
		if len(rest) == 0 {
			continue
		}
		if !grow {
			return nil, newError(rest)
		}
		more, err := x.grow(rest, files[rest[0].pkg])
		if err != nil {
			return nil, err
		}
		if !more {
			return nil, newError(rest)
		}
		clear(x.unused)
	}
	return nil, newError(errs)
}

// Error is what the compiler holds against a composition.
type Error struct {
	Lines []string // file:line:col: message, in the user's files
}

func (e *Error) Error() string {
	return "composing: it does not compile:\n" + strings.Join(e.Lines, "\n")
}

func newError(errs []complaint) *Error {
	e := &Error{}
	for _, c := range errs {
		e.Lines = append(e.Lines, c.text)
	}
	return e
}

// settleImports notes the imports that nothing uses any more, and gives the
// other errors.
func (x *composition) settleImports(errs []complaint) []complaint {
	var rest []complaint
	for _, c := range errs {
		if !strings.Contains(c.msg, "imported and not used") && !strings.Contains(c.msg, "imported as") {
			rest = append(rest, c)
			continue
		}
		if x.unused[c.file] == nil {
			x.unused[c.file] = make(map[int]bool)
		}
		x.unused[c.file][c.line] = true
	}
	return rest
}

// grow takes what the errors ask for. What good's code lacks comes first:
// bad's code may be content once that is there.
func (x *composition) grow(errs []complaint, files []*file) (bool, error) {
	clear(x.fresh)
	for _, careful := range []bool{true, false} {
		grown := false
		for _, c := range errs {
			more, err := x.answerTaken(c, files, careful)
			if err != nil {
				return false, err
			}
			grown = grown || more
		}
		if grown {
			return true, nil
		}
	}
	grown := false
	for _, c := range errs {
		more, err := x.answerBad(c)
		if err != nil {
			return false, err
		}
		grown = grown || more
	}
	return grown, nil
}

// answerTaken serves an error in code that was taken from good.
func (x *composition) answerTaken(c complaint, files []*file, careful bool) (bool, error) {
	for _, f := range files {
		if f.name != c.file {
			continue
		}
		p, line := f.inside(c.line)
		if p == nil { // an import
			return x.addPackage(c.msg), nil
		}
		if p.patch != nil {
			return x.needPatch(p.patch, c.msg, careful)
		}
		if p.of.Side == x.Good {
			return x.need(p.of, line, c.msg, careful)
		}
		if more, err := x.needFields(p.of, c.msg); more || err != nil {
			return more, err
		}
		return x.dropAdapter(p.of), nil
	}
	return false, nil
}

// needPatch serves an error in a function with hunks: what they mention and bad lacks
// comes along, then other hunks that have to do with a name in the error, and if nothing
// helps the whole function.
func (x *composition) needPatch(p *patch, msg string, careful bool) (bool, error) {
	list := x.mentionsIn(p.good, p.holds)
	if careful {
		list = slices.DeleteFunc(list, func(m mention) bool { return !hasWord(msg, m.obj.Name()) })
	}
	if grown, err := x.supplyAll(list); grown || err != nil {
		return grown, err
	}
	for _, concerns := range []func(Hunk, string) bool{Hunk.declares, Hunk.mentions} {
		grown := false
		for _, h := range p.all {
			if !slices.ContainsFunc(p.in, h.same) && slices.ContainsFunc(words.FindAllString(msg, -1), func(w string) bool { return concerns(h, w) }) {
				more, err := x.patch(h)
				if err != nil {
					return false, err
				}
				grown = grown || more
			}
		}
		if grown {
			return true, nil
		}
	}
	if careful {
		return false, nil
	}
	return x.put(p.good, p.bad, false)
}

// need takes what a line of good's code mentions and bad has not, or not so.
// Carefully, it is only what the error names, else anything on the line, then anything
// in the declaration.
func (x *composition) need(g *change.Decl, line int, msg string, careful bool) (bool, error) {
	onLine, all := x.mentions(g, line)
	named := func(list []mention) []mention {
		return without(list, func(m mention) bool { return !hasWord(msg, m.obj.Name()) })
	}
	if careful {
		onLine, all = named(onLine), named(all)
	}
	// Replacing a type is felt everywhere, so all else comes first.
	for _, list := range [][]mention{without(onLine, isType), without(all, isType), onLine, all} {
		if grown, err := x.supplyAll(list); grown || err != nil {
			return grown, err
		}
	}
	return x.missingMethod(msg)
}

// needFields serves an error in a struct of bad that got fields of good.
func (x *composition) needFields(b *change.Decl, msg string) (bool, error) {
	grown := false
	for _, r := range x.merged[b] {
		more, err := x.need(r.Decl, 0, msg, true)
		if err != nil {
			return false, err
		}
		grown = grown || more
	}
	return grown, nil
}

// dropAdapter does without an adapter whose signature has lost what it needs.
// Its callers get good's code in turn.
func (x *composition) dropAdapter(b *change.Decl) bool {
	for _, t := range x.takes {
		if t.adapter == b {
			t.adapter = nil
			return true
		}
	}
	return false
}

// mention is a use of something declared in good's loaded source.
type mention struct {
	obj types.Object
	ref change.Ref
}

func without(list []mention, drop func(mention) bool) []mention {
	return slices.DeleteFunc(slices.Clone(list), drop)
}

func isType(m mention) bool {
	_, ok := m.obj.(*types.TypeName)
	return ok
}

// mentions gives what g uses on one line and everywhere, each once.
func (x *composition) mentions(g *change.Decl, line int) (onLine, all []mention) {
	onLine = x.mentionsIn(g, func(at token.Pos) bool { return g.Line(at) == line })
	return onLine, x.mentionsIn(g, func(token.Pos) bool { return true })
}

// mentionsIn gives what g uses where in says so, each once.
func (x *composition) mentionsIn(g *change.Decl, in func(token.Pos) bool) (list []mention) {
	info := g.Pkg.TypesInfo
	seen := make(map[types.Object]bool)
	add := func(id *ast.Ident, obj types.Object) {
		if obj == nil || !in(id.Pos()) {
			return
		}
		obj = change.Origin(obj)
		if r, ok := g.Side.Owner(obj); ok && r.Decl != g && !seen[obj] {
			seen[obj] = true
			list = append(list, mention{obj, r})
		}
	}
	ast.Inspect(g.Node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			add(id, info.Uses[id])
		}
		return true
	})
	if spec, ok := g.Node.(*ast.ValueSpec); ok { // whose type the constant before may have said
		if named, ok := info.Defs[spec.Names[0]].Type().(*types.Named); ok {
			add(spec.Names[0], named.Obj())
		}
	}
	return list
}

// supplyAll brings in all that is mentioned and reports whether any of it is, or was, news:
// an error about what is there already is no longer about that.
func (x *composition) supplyAll(list []mention) (grown bool, err error) {
	for _, m := range list {
		more, err := x.supply(m)
		if err != nil {
			return false, err
		}
		if more {
			x.fresh[m.obj] = true
		}
		grown = grown || x.fresh[m.obj]
	}
	return grown, nil
}

// supply brings in what m mentions, in good's form, unless the composition
// has it so already.
func (x *composition) supply(m mention) (bool, error) {
	g := m.ref.Decl
	if x.byGood[g] != nil {
		return false, nil
	}
	b := x.Namesake(g)
	switch {
	case b == nil || x.gone[b] && !x.filled(b):
		return x.supplyMissing(g)
	case m.ref.Field != "":
		return x.supplyField(b, m)
	case g.Group != nil && g.Group.Tok.String() == "type":
		if g.Same(b) {
			return false, nil
		}
		return x.put(g, b, false)
	case !x.alike(m.obj, g, b):
		more, err := x.copyIn(g)
		if err == nil && g.Func() == nil {
			err = x.writers(m.obj)
		}
		return more, err
	}
	return false, nil
}

// supplyData brings in the variables that good's functions were written for and that
// have another type in bad, or hold other things. Code may compile with both, as an
// index of an array does with a map, and would then be good's in the source and bad's in
// what it does.
func (x *composition) supplyData() error {
	for i := 0; i < len(x.takes); i++ { // more may come
		t := x.takes[i]
		if t.data || t.good.Func() == nil {
			continue
		}
		t.data = true
		_, all := x.mentions(t.good, 0)
		for _, m := range all {
			if err := x.supplyVariable(m); err != nil {
				return err
			}
		}
	}
	for _, p := range x.patched() {
		if p.data {
			continue
		}
		p.data = true
		for _, m := range x.mentionsIn(p.good, p.holds) {
			if err := x.supplyVariable(m); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *composition) supplyVariable(m mention) error {
	v, ok := m.obj.(*types.Var)
	if !ok || m.ref.Field != "" || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	g := m.ref.Decl
	b := x.Namesake(g)
	if b == nil { // which the compiler will tell
		return nil
	}
	if !x.alike(m.obj, g, b) || x.gone[b] || !x.holdsOther(v, g, b) {
		_, err := x.supply(m)
		return err
	}
	more, err := x.copyIn(g)
	if err == nil && more {
		err = x.writers(v)
	}
	return err
}

// holdsOther reports whether a variable of the same type was made for other values: the
// expression that good gives it mentions what bad has not, or it is a pool of something
// else. What lies in a pool is nobody's, so two of them do as well as one.
func (x *composition) holdsOther(v *types.Var, g, b *change.Decl) bool {
	if g.Same(b) {
		return false
	}
	if types.TypeString(v.Type(), nil) == "sync.Pool" {
		return true
	}
	_, all := x.mentions(g, 0)
	return slices.ContainsFunc(all, func(m mention) bool {
		return m.ref.Field == "" && x.Namesake(m.ref.Decl) == nil && x.Renamed(m.ref.Decl) == nil
	})
}

// filled reports whether something of b's name stands in the place of b.
func (x *composition) filled(b *change.Decl) bool {
	if x.patches[b] != nil {
		return true
	}
	for _, t := range x.takes {
		if t.adapter == b || t.good == x.Namesake(b) {
			return true
		}
		if t.good.Func() != nil && b.Func() != nil && t.name(t.good.Func().Name.Name) == b.Func().Name.Name && t.into == b.Pkg {
			return true
		}
	}
	return false
}

// supplyMissing takes what bad has no declaration for. What was only renamed
// is called by the name it has in bad: its code was not asked for. A type
// brings its methods, or it might not be what its users take it for.
func (x *composition) supplyMissing(g *change.Decl) (bool, error) {
	if b := x.Renamed(g); b != nil && x.ToBad(g.Pkg.PkgPath) == b.Pkg.PkgPath && !x.gone[b] && sameShape(x.Change, g, b) {
		news := x.alias[g] == ""
		x.alias[g] = b.Func().Name.Name
		return news, nil
	}
	more, err := x.put(g, nil, false)
	if err != nil || !more {
		return more, err
	}
	if g.Group == nil {
		return true, nil
	}
	for _, d := range x.Good.Decls {
		if fn := d.Func(); fn != nil && fn.Recv != nil && d.Pkg == g.Pkg && change.ReceiverName(fn) == g.Keys[0].Name && x.Namesake(d) == nil {
			if _, err := x.put(d, nil, false); err != nil {
				return false, err
			}
		}
	}
	if g.Group.Tok.String() == "var" {
		err = x.writers(g.Object())
	}
	return true, err
}

func (x *composition) supplyField(b *change.Decl, m mention) (bool, error) {
	if b.Struct() == nil || m.ref.Decl.Struct() == nil {
		return x.put(m.ref.Decl, b, false)
	}
	for _, f := range b.Struct().Fields.List {
		for _, id := range change.FieldNames(f) {
			if obj := b.Pkg.TypesInfo.Defs[id]; obj != nil && id.Name == m.ref.Field &&
				typeString(x.Change, x.Bad, obj.Type()) == typeString(x.Change, x.Good, m.obj.Type()) {
				return false, nil
			}
		}
	}
	if to := x.renamedField(b, m.ref); to != "" && !slices.Contains(x.merged[b], m.ref) {
		field := change.Origin(m.obj)
		news := x.fields[field] == ""
		x.fields[field] = to
		return news, nil
	}
	return x.merge(b, m.ref)
}

// alike reports whether users of good's g could use bad's b as well.
func (x *composition) alike(obj types.Object, g, b *change.Decl) bool {
	if g.Func() != nil && b.Func() != nil {
		return sameShape(x.Change, g, b)
	}
	other := b.Pkg.Types.Scope().Lookup(obj.Name())
	return other != nil && typeString(x.Change, x.Good, obj.Type()) == typeString(x.Change, x.Bad, other.Type())
}

// hollowOut takes from a constant that lost its name what else it mentions.
// The constants that repeat its expression can't stay either.
func (x *composition) hollowOut(b *change.Decl) (bool, error) {
	if change.KindOf(b) != change.Const || x.hollow[b] {
		return false, nil
	}
	x.hollow[b] = true
	specs := b.Group.Specs
	for _, spec := range specs[slices.Index(specs, b.Node.(ast.Spec))+1:] {
		if len(spec.(*ast.ValueSpec).Values) > 0 {
			break
		}
		if follower := x.Bad.ByNode(b.Filename, spec); !x.gone[follower] {
			if _, err := x.put(x.Namesake(follower), follower, false); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

var missing = regexp.MustCompile(`(?:missing|wrong type for) method ([\pL_][\pL\pN_]*)`)

// missingMethod takes good's method for a type that lacks it, or good's
// interface where only bad's asks for the method.
func (x *composition) missingMethod(msg string) (bool, error) {
	m := missing.FindStringSubmatch(msg)
	if m == nil {
		return false, nil
	}
	methods := x.methods(m[1])
	for _, g := range methods {
		if hasWord(msg, change.ReceiverName(g.Func())) {
			if more, err := x.putExactly(g); more || err != nil {
				return more, err
			}
		}
	}
	for _, b := range x.Bad.Decls {
		if !asksFor(b, m[1]) || x.gone[b] {
			continue
		}
		if g := x.Namesake(b); g != nil && !asksFor(g, m[1]) {
			if more, err := x.put(g, b, false); more || err != nil {
				return more, err
			}
		}
	}
	for _, g := range methods { // of an embedded type, which the error doesn't name
		if more, err := x.putExactly(g); more || err != nil {
			return more, err
		}
	}
	return false, nil
}

// methods gives good's methods of a name that bad lacks or has with another signature.
func (x *composition) methods(name string) []*change.Decl {
	var list []*change.Decl
	for _, g := range x.Good.Decls {
		if fn := g.Func(); fn == nil || fn.Recv == nil || fn.Name.Name != name || g.Test() {
			continue
		}
		if b := x.Namesake(g); b == nil || x.gone[b] || !sameShape(x.Change, g, b) {
			list = append(list, g)
		}
	}
	return list
}

// putExactly puts good's method in place under its own name and with its own
// signature, where an interface asks for just that.
func (x *composition) putExactly(g *change.Decl) (bool, error) {
	b := x.Namesake(g)
	t := x.byGood[g]
	if t == nil {
		if _, err := x.put(g, b, false); err != nil {
			return false, err
		}
		t = x.byGood[g]
	} else if t.rename == nil {
		return false, nil
	}
	t.rename, t.adapter = nil, nil
	if b != nil {
		x.gone[b] = true
	}
	return true, nil
}

// asksFor reports whether d is an interface that lists the method itself.
func asksFor(d *change.Decl, method string) bool {
	spec, ok := d.Node.(*ast.TypeSpec)
	if !ok {
		return false
	}
	it, ok := spec.Type.(*ast.InterfaceType)
	return ok && slices.ContainsFunc(it.Methods.List, func(f *ast.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.Name == method })
	})
}

// answerBad serves an error in code that is still bad's: good's version of
// it comes in, or it goes when only bad has it. Where both have the same code, that
// code wants good's version of what the line mentions.
func (x *composition) answerBad(c complaint) (bool, error) {
	b := x.Bad.At(c.file, c.line)
	if b == nil {
		return false, nil
	}
	if x.gone[b] {
		return x.hollowOut(b)
	}
	g := x.Namesake(b)
	if g == nil {
		g = x.Renamed(b)
	}
	switch {
	case g == nil:
		if b.Test() {
			x.note("%s is left out: it does not compile under the revert", b.Name())
		}
		return x.remove(b)
	case !g.Same(b):
		return x.put(g, b, false)
	}
	if more, err := x.need(g, c.line-b.Line(b.Node.Pos())+g.Line(g.Node.Pos()), c.msg, true); more || err != nil {
		return more, err
	}
	return x.missingMethod(c.msg)
}
