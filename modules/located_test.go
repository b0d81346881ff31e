package modules

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestLocated holds the positions in a copied file against those in the file.
func TestLocated(t *testing.T) {
	const name = "/mod cache/example.com/dep@v1.0.0/dep.go"
	for _, src := range []string{
		"package dep; func F() { G() }",
		"\ufeffpackage dep\nfunc F() { G() }\n",
		"// Copyright\r\n\r\npackage dep\r\n\r\nfunc F() {\r\n\tG()\r\n}\r\n",
		"//go:build linux\n\n// Package dep is one.\npackage dep // import \"x\"\nfunc F() {\n\tG() }",
		"/* several\nlines */ package dep\nfunc F() {}\n//line other.y:70\nfunc H() {}",
	} {
		got := located(name, []byte(src))
		inserted, from := insertion(t, src, got)
		if !strings.HasPrefix(src[from:], "package") || !strings.HasPrefix(inserted, "/*line "+name+":") {
			t.Errorf("inserted %q before %q", inserted, src[from:])
		}
		want, have := positions(t, name, []byte(src)), positions(t, "/copy/dep.go", got)
		if len(want) == 0 || len(want) != len(have) {
			t.Fatalf("%d positions, want %d", len(have), len(want))
		}
		for i, p := range want {
			q := have[i]
			p.Offset, q.Offset = 0, 0
			if p.Filename != "/mod cache/example.com/dep@v1.0.0/other.y" && p != q {
				t.Errorf("%q: %v has become %v", src, p, q)
			}
		}
	}
}

// TestLocatedNot has what must stay as it is.
func TestLocatedNot(t *testing.T) {
	for _, src := range []string{"", "not Go", "//line gen.y:1\npackage dep\n", "package"} {
		if got := located("/m/dep.go", []byte(src)); string(got) != src {
			t.Errorf("%q has become %q", src, got)
		}
	}
	const src = "package dep\n"
	if got := located("/odd*/dep.go", []byte(src)); string(got) != src {
		t.Errorf("with an odd name: %q", got)
	}
}

// insertion finds the only text that got has more than src.
func insertion(t *testing.T, src string, got []byte) (text string, at int) {
	t.Helper()
	n := len(got) - len(src)
	at = bytes.Index(got, []byte("/*line "))
	if n <= 0 || at < 0 || string(got[:at])+string(got[at+n:]) != src {
		t.Fatalf("%q has become %q", src, got)
	}
	return string(got[at : at+n]), at
}

func positions(t *testing.T, name string, src []byte) []token.Position {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	list := []token.Position{fset.Position(f.Package)}
	for _, decl := range f.Decls {
		ast.Inspect(decl, func(n ast.Node) bool {
			if n != nil {
				list = append(list, fset.Position(n.Pos()), fset.Position(n.End()))
			}
			return true
		})
	}
	return list
}
