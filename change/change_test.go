package change

import (
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

const goodModule = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "sort"

func matches(key, s string, n int) int {
	if len(s) > n && key != "" {
		return len(key) + n
	}
	return 0
}

func build(n int) int { return n }

func unrelated() int { return 2 }

func handlers(list []string, n int) (func() int, func(i, j int) bool) {
	add := func() int { return n + len(list) }
	less := func(i, j int) bool { return list[i] < list[j] && i != j }
	sort.Slice(list, less)
	return add, less
}
`

// counterparts changes the good module and looks for what became of a function.
func TestCounterpart(t *testing.T) {
	t.Parallel()
	wrapped := "func matches(key, s string, n int) int { return matchesIn(key, s, n) }\n\nfunc matchesIn("
	for _, test := range []struct {
		name, from, to string
		fn, want       string // of good and of bad
		back           bool   // and the other way round
	}{
		{"the same name", "return n }", "return n + 1 }", "build", "build", true},
		{"another name", "func matches(", "func contains(", "matches", "contains", true},
		{"gone", "func unrelated() int { return 2 }", "", "unrelated", "", false},
		{"wrapped: the name stays", "func matches(", wrapped, "matches", "matches", true},
		{"a literal in its place", "n + len(list)", "n - len(list)", "handlers.func1", "handlers.func1", true},
		{"a literal with another before it", "	add :=", "	skip := func() bool { return n > 3 }\n	skip()\n	add :=", "handlers.func2", "handlers.func3", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			good := loadText(t, goodModule)
			bad := loadText(t, strings.Replace(goodModule, test.from, test.to, 1))
			find := func(p *callgraph.Program, name string) *callgraph.Function { return p.Lookup("example.com/m." + name) }
			twin, ok := Between(bad, good).InGood(find(good, test.fn))
			if test.want == "" {
				if ok {
					t.Fatalf("%s, want none", twin.Name)
				}
				return
			}
			if !ok || twin != find(bad, test.want) {
				t.Fatalf("%v, want %s", twin, test.want)
			}
			if was, ok := Between(good, bad).InGood(twin); test.back && (!ok || was != find(good, test.fn)) {
				t.Errorf("back: %v, want %s", was, test.fn)
			}
		})
	}
}

// A function that moved behind a wrapper has its code there, in either direction.
func TestUnwrap(t *testing.T) {
	t.Parallel()
	with := strings.Replace(goodModule, "func matches(", "func matches(key, s string, n int) int { return matchesIn(key, s, n) }\n\nfunc matchesIn(", 1)
	plain, wrapped := loadText(t, goodModule), loadText(t, with)
	of := func(p *callgraph.Program, name string) *callgraph.Function { return p.Lookup("example.com/m." + name) }
	got := Between(plain, wrapped).Unwrap(Functions{Good: of(plain, "matches"), Bad: of(wrapped, "matches")})
	if got.Bad != of(wrapped, "matchesIn") || got.Good != of(plain, "matches") {
		t.Errorf("wrapped in bad: %s", got.Bad.Name)
	}
	if !Wraps(got) {
		t.Error("what is in the wrapper is not seen to be the same")
	}
	got = Between(wrapped, plain).Unwrap(Functions{Good: of(wrapped, "matches"), Bad: of(plain, "matches")})
	if got.Good != of(wrapped, "matchesIn") || got.Bad != of(plain, "matches") {
		t.Errorf("wrapped in good: %s", got.Good.Name)
	}
}

func TestMatched(t *testing.T) {
	t.Parallel()
	good := loadText(t, goodModule)
	bad := loadText(t, strings.NewReplacer("func unrelated", "func other", "return 2", "return len(make([]int, 7))").Replace(goodModule))
	of := func(p *callgraph.Program, name string) *callgraph.Function { return p.Lookup("example.com/m." + name) }
	c := Between(good, bad)
	// One is left over on each side, however little they have in common.
	got := c.Matched([]*callgraph.Function{of(good, "build"), of(good, "unrelated")}, []*callgraph.Function{of(bad, "other"), of(bad, "build")})
	if len(got) != 2 || got[0].Bad != of(bad, "build") || got[1] != (Functions{Good: of(good, "unrelated"), Bad: of(bad, "other")}) {
		t.Errorf("one left over: %v", got)
	}
	// Of two on one side nothing is known.
	got = c.Matched([]*callgraph.Function{of(good, "unrelated"), of(good, "handlers")}, []*callgraph.Function{of(bad, "other")})
	if len(got) != 3 || got[0].Bad != nil || got[1].Bad != nil || got[2].Good != nil {
		t.Errorf("two left over: %v", got)
	}
}
