package instrument

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// FuzzRewrite probes every call of any program that type-checks. What comes out
// must type-check too, have each call probed or refused, have its tokens on the
// lines where they were, and be the input again without the insertions.
func FuzzRewrite(f *testing.F) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".go") && !strings.HasPrefix(file.Name, "want/") {
				f.Add(file.Data)
			}
		}
	}
	imports := newImports(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		in, err := imports.check(src)
		if err != nil {
			t.Skip(err)
		}
		imports.checkFile(t, in)
	})
}

// checkRewrite rewrites a file and returns what came out.
func (im imports) checkRewrite(t *testing.T, src []byte) []byte {
	t.Helper()
	in, err := im.check(src)
	if err != nil {
		t.Fatal(err)
	}
	return im.checkFile(t, in)
}

func (im imports) checkFile(t *testing.T, in File) []byte {
	t.Helper()
	probes := callsOf(in)
	for i := range probes {
		probes[i].ID = i
	}
	out, ins, refused, err := rewrite(in, probes, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := im.check(out); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strip(out, ins); !bytes.Equal(got, in.Src) {
		t.Errorf("stripped to %q, want %q", got, in.Src)
	}
	for _, in := range ins {
		if strings.ContainsAny(in.text, "\n\r") {
			t.Errorf("%q moves lines", in.text)
		}
	}
	if began := strings.Count(text(ins), ".Begin("); began < len(probes)-len(refused) {
		t.Errorf("%d probes for %d calls, %d refused", began, len(probes), len(refused))
	}
	return out
}

func text(ins []insertion) string {
	var b strings.Builder
	for _, in := range ins {
		b.WriteString(in.text)
	}
	return b.String()
}

// imports type-checks programs that import a few packages, and the probe
// runtime.
type imports struct{ known importMap }

var importsOnce = sync.OnceValues(func() (imports, error) {
	const mode = packages.NeedName | packages.NeedTypes | packages.NeedExportFile | packages.NeedImports | packages.NeedDeps
	pkgs, err := packages.Load(&packages.Config{Mode: mode}, "./probe",
		"errors", "fmt", "iter", "reflect", "runtime", "strconv", "strings", "sync", "testing", "text/template")
	im := imports{importMap{"unsafe": types.Unsafe}}
	for _, p := range pkgs {
		im.known[p.PkgPath] = p.Types
		if p.Name == "probe" {
			im.known[ProbePackage] = p.Types
		}
	}
	return im, err
})

func newImports(t testing.TB) imports {
	t.Helper()
	im, err := importsOnce()
	if err != nil {
		t.Fatal(err)
	}
	return im
}

func (im imports) check(src []byte) (File, error) {
	f := File{Fset: token.NewFileSet(), Src: src, Name: "main.go"}
	var err error
	if f.Syntax, err = parser.ParseFile(f.Fset, f.Name, src, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		return f, err
	}
	f.Info = &types.Info{
		Types:  make(map[ast.Expr]types.TypeAndValue),
		Uses:   make(map[*ast.Ident]types.Object),
		Defs:   make(map[*ast.Ident]types.Object),
		Scopes: make(map[ast.Node]*types.Scope),
	}
	conf := types.Config{Importer: im.known, GoVersion: "go1.26", FakeImportC: true}
	f.Pkg, err = conf.Check("main", f.Fset, []*ast.File{f.Syntax}, f.Info)
	return f, err
}
