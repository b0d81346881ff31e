package callgraph

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestNames runs a program that prints the runtime's names of its functions,
// and holds FuncAt and Func against them.
func TestNames(t *testing.T) {
	t.Parallel()
	ar, err := txtar.ParseFile("testdata/names.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := unpack(t, ar)
	run := exec.CommandContext(t.Context(), "go", "run", "-gcflags=-l", ".")
	run.Dir, run.Env = dir, env()
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := load(t, dir, ".")
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	checked := 0
	for _, line := range lines {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			continue // printed by a literal that ran
		}
		want := plainName(fields[0])
		if rest, ok := strings.CutPrefix(want, "main."); ok {
			want = "example.com/my.names." + rest // main packages print as main
		}
		at, _ := strconv.Atoi(fields[2])
		fn, err := p.FuncAt(fields[1], at)
		if err != nil {
			t.Error(err)
			continue
		}
		if fn.Name != want {
			t.Errorf("line %d: FuncAt gives %s, want %s", at, fn.Name, want)
		}
		if found, err := p.Func(fields[0]); err != nil || found != fn {
			t.Errorf("Func(%q) = %v, %v, want %s", fields[0], found, err, fn.Name)
		}
		checked++
	}
	if checked < 20 {
		t.Errorf("%d functions were printed, want at least 20", checked)
	}
}

const lookupModule = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

type T struct{}

func (*T) Get() {}
func (T) Set()  {}

func Run() {}

func helper() { func() { func() {}() }() }
-- m_test.go --
package m_test

import (
	"testing"

	"example.com/m/a"
	"example.com/m/b"
)

func BenchmarkX(b *testing.B) {}

func helper() {}

var _ = a.Parse
var _ = b.Parse
-- a/a.go --
package a

func Parse() {}
func Run()   {}

type T struct{}

func (*T) Only() {}
-- b/b.go --
package b

func Parse() {}
`

func TestFunc(t *testing.T) {
	t.Parallel()
	p := load(t, unpack(t, txtar.Parse([]byte(lookupModule))), ".")
	tests := []struct{ name, want string }{
		{"example.com/m.Run", "example.com/m.Run"},
		{"Run", "example.com/m.Run"}, // the workload's package wins
		{"a.Run", "example.com/m/a.Run"},
		{"(*T).Get", "example.com/m.(*T).Get"},
		{"T.Get", "example.com/m.(*T).Get"},
		{"(*T).Set", "example.com/m.T.Set"},
		{"m.T.Set", "example.com/m.T.Set"},
		{"T.Only", "example.com/m/a.(*T).Only"},
		{"helper", "example.com/m.helper"},
		{"helper.func1.1", "example.com/m.helper.func1.1"},
		{"m_test.helper", "example.com/m_test.helper"},
		{"BenchmarkX", "example.com/m_test.BenchmarkX"},
		{"Parse", "Parse is ambiguous; candidates:\n\texample.com/m/a.Parse\n\texample.com/m/b.Parse"},
		{"parse", "no function parse; candidates:\n\texample.com/m/a.Parse\n\texample.com/m/b.Parse"},
		{"(*T).Gets", "no function (*T).Gets; candidates:\n\texample.com/m.(*T).Get"},
		{"zzz", "no function zzz"},
	}
	for _, test := range tests {
		fn, err := p.Func(test.name)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = fn.Name
		}
		if got != test.want {
			t.Errorf("Func(%q) = %s, want %s", test.name, got, test.want)
		}
	}
}

func TestFuncAt(t *testing.T) {
	t.Parallel()
	p := load(t, unpack(t, txtar.Parse([]byte(lookupModule))), ".")
	_, dir := p.Package()
	tests := []struct {
		line int
		want string
	}{
		{5, "example.com/m.(*T).Get"},
		{10, "example.com/m.helper.func1.1"},
		{7, ""},
	}
	for _, test := range tests {
		fn, err := p.FuncAt(filepath.Join(dir, "m.go"), test.line)
		if got := nameOf(fn); got != test.want {
			t.Errorf("FuncAt(m.go:%d) = %s, %v, want %s", test.line, got, err, test.want)
		}
	}
}

func nameOf(fn *Function) string {
	if fn == nil {
		return ""
	}
	return fn.Name
}
