package change

import (
	"go/ast"
	"go/token"
	"go/types"
)

// WritersOf gives the functions that assign to a field or package-level variable,
// to an element of it, or take its address.
func (s *Side) WritersOf(obj types.Object) []*Decl {
	if s.writes == nil {
		s.writes = make(map[types.Object][]*Decl)
		for _, d := range s.Decls {
			if d.Func() != nil && d.Func().Body != nil {
				s.addWrites(d)
			}
		}
	}
	return s.writes[obj]
}

func (s *Side) addWrites(d *Decl) {
	seen := make(map[types.Object]bool)
	add := func(obj types.Object) {
		if v, ok := obj.(*types.Var); ok && !seen[v.Origin()] {
			seen[v.Origin()] = true
			s.writes[v.Origin()] = append(s.writes[v.Origin()], d)
		}
	}
	info := d.Pkg.TypesInfo
	ast.Inspect(d.Func().Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				add(written(info, e))
			}
		case *ast.IncDecStmt:
			add(written(info, n.X))
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				add(written(info, n.X))
			}
		case *ast.CompositeLit:
			addLiteral(info, n, add)
		}
		return true
	})
}

func addLiteral(info *types.Info, n *ast.CompositeLit, add func(types.Object)) {
	st, ok := info.TypeOf(n).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				add(info.Uses[id])
			}
		} else if i < st.NumFields() {
			add(st.Field(i))
		}
	}
}

// written is the field or variable that an assignment to e changes or fills.
func written(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.Uses[e]
	case *ast.SelectorExpr:
		return info.Uses[e.Sel]
	case *ast.IndexExpr:
		return written(info, e.X)
	case *ast.SliceExpr:
		return written(info, e.X)
	}
	return nil
}
