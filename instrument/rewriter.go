package instrument

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/inspector"
)

// A rewriter rewrites one file.
type rewriter struct {
	File
	root    inspector.Cursor
	refuser refuser
	names   names
	refused []Refusal
	sites   []*site
	bodies  []BodyProbe

	frames map[ast.Node]*frame // by function; nil is the file itself
	opens  map[ast.Node]bool   // nodes while which are evaluated a probe is open
	ended  map[ast.Node]bool   // statements in whose headers probes end
	buf    buffer
}

func (w *rewriter) refuse(id int, n ast.Node, reason string) {
	w.refused = append(w.refused, Refusal{
		ID:     id,
		Pos:    w.Fset.Position(n.Pos()),
		Text:   oneLine(w.Src[w.offset(n.Pos()):w.offset(n.End())]),
		Reason: reason,
	})
}

// offset returns a position's offset in the file, whatever //line says.
func (w *rewriter) offset(pos token.Pos) int {
	return w.Fset.PositionFor(pos, false).Offset
}

// around queues an edit of a node.
func (w *rewriter) around(n ast.Node, rank int, before, after string) {
	w.buf.around(w.offset(n.Pos()), w.offset(n.End()), rank, before, after)
}

// following queues text behind a token of the given length.
func (w *rewriter) following(pos token.Pos, length int, rank int, text string) {
	w.buf.around(w.offset(pos), w.offset(pos)+length, rank, "", text)
}

// enclosingFunc returns the declaration or literal that a call lies in
// directly, nil if there is none.
func enclosingFunc(cur inspector.Cursor) ast.Node {
	for f := range cur.Parent().Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		return f.Node()
	}
	return nil
}

// bodyOf returns a function's body, nil if it has none.
func bodyOf(fn ast.Node) *ast.BlockStmt {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	}
	return nil
}

// oneLine returns the beginning of source text, with each run of space one
// blank.
func oneLine(src []byte) string {
	const most = 60
	var out []rune
	for _, r := range string(src) {
		if r == ' ' || r == '\t' || r == '\r' || r == '\n' {
			if len(out) > 0 && out[len(out)-1] != ' ' {
				out = append(out, ' ')
			}
			continue
		}
		if len(out) == most {
			return string(out) + "..."
		}
		out = append(out, r)
	}
	return string(out)
}

func enclosingDecl(cur inspector.Cursor) *ast.FuncDecl {
	for f := range cur.Enclosing((*ast.FuncDecl)(nil)) {
		return f.Node().(*ast.FuncDecl)
	}
	return nil
}
