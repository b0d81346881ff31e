package suite

import (
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

const module2 = `
-- go.mod --
module example.com/m

go 1.21
-- a/a.go --
package a

import "example.com/m/b"

func A() int { return b.B() }

func Other() int { return table[0] }

var table = fill()

func fill() []int { return []int{1} }

var mode int

func init() { mode = pick() }

func pick() int { return 1 }
-- b/b.go --
package b

// B is called by A.
func B() int { return 1 }
-- a/a_test.go --
package a

import "testing"

func TestMain(m *testing.M) { m.Run() }

func BenchmarkA(b *testing.B) { A() }

func BenchmarkOther(b *testing.B) { Other() }
`

func programOf(t *testing.T, text string) *callgraph.Program {
	t.Helper()
	_, dir := listModule(t, text)
	prog, err := callgraph.Load(t.Context(), callgraph.Config{Dir: dir, Package: "./a", Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// TestWhy changes one thing at a time, and asks why each benchmark would be
// compared.
func TestWhy(t *testing.T) {
	t.Parallel()
	good := programOf(t, module2)
	for _, c := range []struct{ name, old, new, before, a, other string }{
		{"a comment", "B is called by A", "B is nice", "", "", ""},
		{"what one reaches", "func B() int { return 1 }", "func B() int { return 2 }", "", "reaches b.B, which changed", ""},
		{"a benchmark", "{ A() }", "{ A(); A() }", "", "it changed itself", ""},
		{"what fills a variable", "[]int{1}", "[]int{1, 2}", "", "", "reaches a.fill, which changed"},
		{"TestMain", "{ m.Run() }", "{ m.Run(); _ = 1 }", "what runs before benchmarks changed: a.TestMain", "", ""},
		{"what init calls", "func pick() int { return 1 }", "func pick() int { return 2 }", "what runs before benchmarks changed: a.pick", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(module2, c.old, c.new, 1)
			if text == module2 {
				t.Fatal("nothing was changed")
			}
			bad := programOf(t, text)
			before, err := initialising(good, bad)
			if err != nil || !strings.HasPrefix(before, c.before) || before != "" && c.before == "" {
				t.Errorf("before: %q, want %q, %v", before, c.before, err)
			}
			if c.before != "" {
				return
			}
			d := newDiffer(good, bad)
			for name, want := range map[string]string{"BenchmarkA": c.a, "BenchmarkOther": c.other} {
				for _, focused := range []bool{false, true} {
					got, err := d.why(name, "a."+name, focused)
					if err != nil || got != want {
						t.Errorf("%s (focused %v): %q, want %q, %v", name, focused, got, want, err)
					}
				}
			}
		})
	}
}
