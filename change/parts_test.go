package change

import (
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

const narrowModule = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "sort"

func order(list []int) {
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
}

func build(n int) func() int {
	add := func(m int) func() int {
		return func() int { return n + m }
	}
	return add(n * 2)
}

func several() (func() int, func() int) {
	return func() int { return 1 }, func() int { return 2 }
}
`

// revisions are a function as it is in the module, and with something of it replaced.
func revisions(t *testing.T, fn, from, to string) (good, bad *callgraph.Function) {
	t.Helper()
	good, errGood := loadText(t, narrowModule).Func(fn)
	bad, errBad := loadText(t, strings.Replace(narrowModule, from, to, 1)).Func(fn)
	if errGood != nil || errBad != nil {
		t.Fatal(errGood, errBad)
	}
	return good, bad
}

func TestNarrow(t *testing.T) {
	for _, test := range []struct{ name, fn, from, to, want string }{
		{"in a literal", "order", "list[i] <", "list[i]*2 <", "order.func1"},
		{"in a literal's literal", "build", "n + m", "n - m", "build.func1.1"},
		{"outside", "build", "n * 2", "n * 3", "build"},
		{"in two literals", "several", "return 1 }, func() int { return 2", "return 3 }, func() int { return 4", "several"},
		{"in the second", "several", "return 2", "return 3", "several.func2"},
		{"a comment", "order", "return list", "/* why */ return list", "order"},
		{"one more", "build", "return add(n * 2)", "return func() int { return add(n)() }", "build"},
	} {
		t.Run(test.name, func(t *testing.T) {
			good, bad := revisions(t, test.fn, test.from, test.to)
			narrow := Narrow(Functions{Good: good, Bad: bad})
			if want := "example.com/m." + test.want; narrow.Good.Name != want || narrow.Bad.Name != want {
				t.Errorf("Narrow gives %s and %s, want %s", narrow.Good.Name, narrow.Bad.Name, want)
			}
		})
	}
}

func TestParts(t *testing.T) {
	for _, test := range []struct{ name, fn, from, to, want string }{
		{"in a literal", "order", "list[i] <", "list[i]*2 <", "order.func1"},
		{"in two literals", "several", "return 1 }, func() int { return 2", "return 3 }, func() int { return 4", "several.func1 several.func2"},
		{"outside and in a literal's literal", "build", "return n + m }\n\t}\n\treturn add(n * 2)", "return n - m }\n\t}\n\treturn add(n * 3)", "build build.func1.1"},
		{"one more", "build", "return add(n * 2)", "return func() int { return add(n)() }", "build"},
		{"nothing", "build", "", "", "build"},
	} {
		t.Run(test.name, func(t *testing.T) {
			good, bad := revisions(t, test.fn, test.from, test.to)
			var names []string
			for _, p := range Parts(Functions{Good: good, Bad: bad}) {
				if p.Good.Name != p.Bad.Name {
					t.Errorf("%s and %s", p.Good.Name, p.Bad.Name)
				}
				names = append(names, strings.TrimPrefix(p.Bad.Name, "example.com/m."))
			}
			if got := strings.Join(names, " "); got != test.want {
				t.Errorf("Parts gives %s, want %s", got, test.want)
			}
		})
	}
}
