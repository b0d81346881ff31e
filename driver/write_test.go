package driver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func decl(t *testing.T, text string) *ast.FuncDecl {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file.Decls[0].(*ast.FuncDecl)
}

// TestFile reads the benchmarks of a method and of a generic function: the method is called
// in one place.
func TestFile(t *testing.T) {
	method := target{
		decl: decl(t, "func (e *Encoder) Encode(w io.Writer, n ...int) error { return nil }"), pkg: "x", method: true, variadic: true, results: 1,
		names: []string{"e", "w", "n"}, spelt: []string{"*Encoder", "io.Writer", "[]int"}, imports: map[string]string{"io": "io"},
	}
	generic := target{
		decl: decl(t, "func Max[T any](a, b T) {}"), pkg: "x", generic: true,
		names: []string{"a", "b"}, spelt: []string{"T", "T"}, imports: map[string]string{},
	}
	for _, c := range []struct {
		r     Recording
		wants []string
		once  string
	}{
		{Recording{target: method, calls: []call{
			{Size: 3, Make: []string{"p0 := new(Encoder)"}, Args: []string{"p0", "\x00io\x00.Discard", "[]int{1}"}},
			{Size: 300, Make: []string{"p0 := new(Encoder)"}, Args: []string{"p0", "nil", "[]int{2}"}, Changed: true},
		}}, []string{
			"type argsBenchmarkPinpointEncoder_Encode struct {\n\ta0 *Encoder\n\ta1 io.Writer\n\ta2 []int\n}",
			"return argsBenchmarkPinpointEncoder_Encode{p0, a1, a2}", `b.Run("16B"`, `b.Run("4KiB"`, "b.StopTimer()", "\"runtime\"\n",
		}, "r0 := in.a0.Encode(in.a1, in.a2...)\n\t\t\truntime.KeepAlive(r0)"},
		{Recording{target: generic, calls: []call{{Size: 3, Args: []string{"(int)(1)", "(int)(2)"}}}}, []string{
			"[]func() func(){", "return func() { Max(a0, a1) }",
		}, "\t\t\tin()\n"},
	} {
		out, err := c.r.File()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range append(c.wants, c.once) {
			if !strings.Contains(string(out), want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
		if strings.Count(string(out), c.once) != 1 {
			t.Errorf("%q not once in\n%s", c.once, out)
		}
	}
}
