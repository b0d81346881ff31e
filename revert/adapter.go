package revert

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
)

// adapterPiece is a function of bad's signature that calls good's.
func (x *composition) adapterPiece(t *take) *piece {
	b, fn := t.adapter, t.adapter.Func()
	p := &piece{of: b, imports: make(map[string]string)}
	a := &signature{decl: b}
	recv := ""
	if fn.Recv != nil {
		recv = "(" + a.fields(fn.Recv) + ") "
	}
	params := a.fields(fn.Type.Params)
	generics, results := "", ""
	if fn.Type.TypeParams != nil {
		generics = "[" + b.Source(fn.Type.TypeParams.List[0].Pos(), fn.Type.TypeParams.List[len(fn.Type.TypeParams.List)-1].End()) + "]"
	}
	call := x.adapterCall(t, a)
	if fn.Type.Results != nil {
		results = b.Source(fn.Type.Results.Pos(), fn.Type.Results.End())
		call = x.adapterReturn(t, call)
	}
	text := fmt.Sprintf("func %s%s%s(%s) %s { %s }", recv, fn.Name.Name, generics, params, results, call)
	p.text = header(b) + strings.ReplaceAll(text, "\n", " ") + "\n"
	imported(b, fn.Type, p)
	return p
}

// adapterReturn gives what good's function returns as bad's does.
func (x *composition) adapterReturn(t *take, call string) string {
	good, bad := shapeOf(x.Change, t.good), shapeOf(x.Change, t.adapter)
	if slices.Equal(good.results, bad.results) {
		return "return " + call
	}
	var names []string
	for i := range good.results {
		names = append(names, resultName(i))
	}
	if len(names) > 0 {
		call = strings.Join(names, ", ") + " := " + call
	}
	list, _ := returned(good, bad)
	return call + "; return " + strings.Join(list, ", ")
}

func (x *composition) adapterCall(t *take, a *signature) string {
	fn := t.good.Func()
	good, bad := shapeOf(x.Change, t.good), shapeOf(x.Change, t.adapter)
	order, _ := arguments(x.Change, t.good, t.adapter)
	var args []string
	for i, j := range order {
		arg := a.names[j]
		if operator, _ := pointing(bad.params[j].typ, good.params[i].typ); !good.params[i].receiver {
			arg = operator + arg
		}
		args = append(args, arg)
	}
	callee := t.name(fn.Name.Name)
	if fn.Recv != nil {
		callee, args = args[0]+"."+callee, args[1:]
	}
	if n := len(args); n > 0 && good.variadic {
		args[n-1] += "..."
	}
	return callee + "(" + strings.Join(args, ", ") + ")"
}

// signature writes a function's parameters, giving names to those without.
type signature struct {
	decl  *change.Decl
	names []string // of receiver and parameters, in order
}

func (a *signature) fields(list *ast.FieldList) string {
	var out []string
	for _, f := range list.List {
		names := f.Names
		if len(names) == 0 {
			names = []*ast.Ident{ast.NewIdent("_")}
		}
		for _, id := range names {
			name := id.Name
			if name == "_" {
				name = fmt.Sprintf("p__%d", len(a.names))
			}
			a.names = append(a.names, name)
			out = append(out, name+" "+a.decl.Source(f.Type.Pos(), f.Type.End()))
		}
	}
	return strings.Join(out, ", ")
}

// mergedPiece is bad's struct with fields as good has them. A new one comes
// last.
func (x *composition) mergedPiece(b *change.Decl) *piece {
	p := &piece{of: b, imports: make(map[string]string)}
	imported(b, b.Node, p)
	st := b.Struct()
	e := newEdits(b)
	texts := make(map[string]string)
	for _, r := range x.merged[b] {
		texts[r.Field] = x.fieldText(r, p)
	}
	for _, f := range st.Fields.List {
		changeField(e, f, texts)
	}
	var extra []string
	for _, r := range x.merged[b] {
		if text, ok := texts[r.Field]; ok {
			extra = append(extra, text)
		}
	}
	text := strings.TrimRight(e.between(b.Node.Pos(), st.Fields.Closing), " \t\n;")
	p.text = header(b) + "type " + text + "\n" + strings.Join(extra, "\n") + "\n}\n"
	return p
}

func (x *composition) fieldText(r change.Ref, p *piece) string {
	for _, f := range r.Decl.Struct().Fields.List {
		for _, id := range change.FieldNames(f) {
			if id.Name != r.Field {
				continue
			}
			g := &piece{imports: make(map[string]string)}
			imported(r.Decl, f.Type, g)
			for name, path := range g.imports {
				p.imports[name] = x.ToBad(path)
			}
			text := r.Decl.Source(f.Type.Pos(), f.Type.End())
			if len(f.Names) > 0 {
				text = id.Name + " " + text
			}
			if f.Tag != nil {
				text += " " + f.Tag.Value
			}
			return text
		}
	}
	return ""
}

// changeField puts a text in the place of a field of bad's struct, and takes it from
// texts. Of names that share a type, those with a text are only taken out.
func changeField(e *edits, f *ast.Field, texts map[string]string) {
	var stay []string
	for _, id := range change.FieldNames(f) {
		if _, ok := texts[id.Name]; !ok {
			stay = append(stay, id.Name)
		}
	}
	ids := change.FieldNames(f)
	switch {
	case len(stay) == len(ids):
	case len(stay) > 0:
		e.replace(ids[0].Pos(), ids[len(ids)-1].End(), strings.Join(stay, ", "))
	default:
		var list []string
		for _, id := range ids {
			list = append(list, texts[id.Name])
			delete(texts, id.Name)
		}
		e.replace(f.Pos(), f.End(), strings.Join(list, "; "))
	}
}
