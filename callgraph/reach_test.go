package callgraph

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const baseModule = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "strings"

const limit = 10

type item struct{ key string }

var table = build()

var hook = func() int { return 1 }

func build() []item { return []item{{key: "a"}} }

// Entry is where it starts.
func Entry(s string) int {
	n := limit
	for _, it := range table {
		n += inner(it, s)
	}
	return n + hook()
}

func inner(it item, s string) int {
	if strings.Contains(s, it.key) {
		return 1
	}
	return 0
}

func unrelated() int { return 2 }
`

func loadText(t testing.TB, text string) *Program {
	t.Helper()
	return load(t, unpack(t, txtar.Parse([]byte(text))), ".")
}

func entryPrint(t *testing.T, text string) map[string]string {
	t.Helper()
	p := loadText(t, text)
	fn, err := p.Func("Entry")
	if err != nil {
		t.Fatal(err)
	}
	return p.ReachPrint(fn)
}

// TestReachPrint changes one thing at a time and lists the functions whose
// print changes.
func TestReachPrint(t *testing.T) {
	t.Parallel()
	base := entryPrint(t, baseModule)
	for _, name := range []string{"example.com/m.Entry", "example.com/m.inner", "example.com/m.build", "example.com/m.init.func1"} {
		if base[name] == "" {
			t.Errorf("%s is not reached", name)
		}
	}
	if v := base["strings.Contains"]; !strings.HasPrefix(v, "std@go1.") {
		t.Errorf("strings.Contains is %q, want the version of the standard library", v)
	}
	if base["module std"] == "" || base["example.com/m.unrelated"] != "" {
		t.Errorf("reached: %v", slices.Sorted(maps.Keys(base)))
	}
	tests := []struct{ name, old, new, want string }{
		{"comment", "// Entry is where it starts.", "/* other */", ""},
		{"layout", "func build() []item { return []item{{key: \"a\"}} }", "func build() []item {\n\n\treturn []item{\n\t\t{key: \"a\"},\n\t}\n}", ""},
		{"unrelated", "return 2", "return 3", ""},
		{"body", "return 0", "return 5", "inner"},
		{"constant", "limit = 10", "limit = 11", "Entry"},
		{"type", "item struct{ key string }", "item struct{ key string; pad int }", "Entry build inner"},
		{"initialiser", "table = build()", "table = append(build(), item{})", "Entry"},
		{"function behind an initialiser", `{{key: "a"}}`, `{{"b"}}`, "build"},
		{"literal behind a variable", "func() int { return 1 }", "func() int { return 7 }", "Entry init.func1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(baseModule, test.old, test.new, 1)
			if text == baseModule {
				t.Fatal("nothing was changed")
			}
			var changed []string
			for name, print := range entryPrint(t, text) {
				if base[name] != print {
					changed = append(changed, strings.TrimPrefix(name, "example.com/m."))
				}
			}
			slices.Sort(changed)
			if got := strings.Join(changed, " "); got != test.want {
				t.Errorf("changed: %s, want %s", got, test.want)
			}
		})
	}
}

func TestExtend(t *testing.T) {
	t.Parallel()
	p := loadText(t, baseModule)
	entry, _ := p.Func("Entry")
	if v := p.ReachPrint(entry)["strings.Contains"]; !strings.HasPrefix(v, "std@") {
		t.Errorf("strings.Contains is %q before its source is loaded", v)
	}
	inner, _ := p.Func("inner")
	layer, err := p.Layer(inner)
	if err != nil {
		t.Fatal(err)
	}
	contains := layer.Calls[0].Callee()
	if _, err := p.Layer(contains); err == nil {
		t.Fatal("strings.Contains has a layer without its source")
	}
	for range 2 { // the second time is for nothing
		if err := p.Extend(t.Context(), "strings"); err != nil {
			t.Fatal(err)
		}
	}
	below, err := p.Layer(contains) // the same *Function as before
	if err != nil {
		t.Fatal(err)
	}
	if len(below.Calls) != 1 || below.Calls[0].Target() != "strings.Index" {
		t.Errorf("strings.Contains calls %v, want Index", below.Calls)
	}
	again, err := p.Layer(inner)
	if err != nil || again.Calls[0].Callee() != contains {
		t.Errorf("the callee has changed: %v, %v", again, err)
	}
	if prints := p.ReachPrint(entry); strings.HasPrefix(prints["strings.Contains"], "std@") || prints["strings.Index"] == "" {
		t.Errorf("reach stops at strings.Contains: %v", prints)
	}
	if err := p.Extend(t.Context(), "example.com/nosuch"); err == nil {
		t.Error("extending by a package that is not linked: no error")
	}
}

const seamModule = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "sort"

type names []string

func (n names) Len() int           { return len(n) }
func (n names) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
func (n names) Less(i, j int) bool { return n[i] < n[j] }

func Sorted(list []string) { sort.Sort(names(list)) }
`

// TestExtendSeam has a package with implementations of its own call one of its callers'.
func TestExtendSeam(t *testing.T) {
	t.Parallel()
	p := loadText(t, seamModule)
	if err := p.Extend(t.Context(), "sort"); err != nil {
		t.Fatal(err)
	}
	insertion, err := p.Func("sort.insertionSort")
	if err != nil {
		t.Fatal(err)
	}
	layer, err := p.Layer(insertion)
	if err != nil {
		t.Fatal(err)
	}
	var callees []string
	for _, fn := range layer.Calls[0].Callees {
		callees = append(callees, fn.Name)
	}
	for _, want := range []string{"example.com/m.names.Less", "sort.StringSlice.Less"} {
		if !slices.Contains(callees, want) {
			t.Errorf("%s may call %v, not %s", layer.Calls[0].Text, callees, want)
		}
	}
	sorted, _ := p.Func("sort.Sort")
	if p.ReachPrint(sorted)["example.com/m.names.Less"] == "" {
		t.Error("sort.Sort does not reach what it is called with")
	}
}

const benchModule = `
-- go.mod --
module example.com/m

go 1.26
-- m_test.go --
package m

import "testing"

func BenchmarkPlain(b *testing.B) {
	for b.Loop() {
		work()
	}
}

func BenchmarkParallel(b *testing.B) {
	setup := func() {}
	setup()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			work()
		}
	})
}

func BenchmarkNested(b *testing.B) {
	b.Run("a", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {})
	})
}

func BenchmarkNamed(b *testing.B) { b.Run("a", BenchmarkPlain) }

func BenchmarkSeveral(b *testing.B) {
	b.Run("a", func(b *testing.B) {})
	b.Run("b", func(b *testing.B) {})
}

func BenchmarkUnknown(b *testing.B) {
	for _, c := range cases {
		b.Run(c.name, c.f)
	}
}

var cases []struct {
	name string
	f    func(b *testing.B)
}

func work()  { a(); b(); again(1) }
func a()     { b() }
func b()     {}
func again(n int) { again(n - 1) }
`

func TestTimedBody(t *testing.T) {
	t.Parallel()
	p := loadText(t, benchModule)
	tests := []struct{ bench, body, candidates string }{
		{"BenchmarkPlain", "example.com/m.BenchmarkPlain", ""},
		{"BenchmarkParallel", "example.com/m.BenchmarkParallel.func2", ""},
		{"BenchmarkNested", "example.com/m.BenchmarkNested.func1.1", ""},
		{"BenchmarkNamed", "example.com/m.BenchmarkPlain", ""},
		{"BenchmarkSeveral", "", "example.com/m.BenchmarkSeveral.func1 example.com/m.BenchmarkSeveral.func2"},
		{"BenchmarkUnknown", "", ""},
	}
	for _, test := range tests {
		fn, err := p.Func(test.bench)
		if err != nil {
			t.Fatal(err)
		}
		body, candidates, err := p.TimedBody(fn)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(names(candidates), " "); nameOf(body) != test.body || got != test.candidates {
			t.Errorf("%s: body %q, candidates %q, want %q, %q", test.bench, nameOf(body), got, test.body, test.candidates)
		}
	}
}
