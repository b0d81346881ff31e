package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const affectable = `
-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

import "example.com/m/one"

type (
	box  struct{ n int }
	crate struct{ box }
	shelf struct{ b *box }
	opener interface{ Open() int }
)

const (
	first = iota
	second
	third
)

var (
	table = []int{1, 2}
	sum   = table[0]
	made  = one.Make(1)
	err   error
)

func init() { err = nil }

func plain() int { return 1 }

func reads() int { return sum }

func counts() int { return third }

func holds(c crate) int { return 1 }

func points(s *shelf) bool { return s == nil }

func looks(s *shelf) int { return s.b.n }

func asks(x any) int {
	if o, ok := x.(opener); ok {
		return o.Open()
	}
	return 0
}

func (b *box) Size() int { return b.n }

func uses() int { return one.F() }

func _() { _ = first }

func generic[T any](x T) T { return x }

var late = func() int { return second }
-- one/one.go --
package one

func F() int { return 1 }

func Make(n int) int { return n }
-- two/two.go --
package two

func F() int { return 1 }

func Make(n int) int { return n }
-- m_test.go --
package m

import (
	"testing"

	_ "example.com/m/two"
)

func BenchmarkM(b *testing.B) { helper() }

func helper() {}
`

// TestAffected changes one thing at a time.
func TestAffected(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs the go command")
	}
	good := loadText(t, affectable)
	const data = "m.reads uses "
	for _, c := range []struct{ name, old, new, good, bad, always string }{
		{"a comment", "func plain", "// plain is.\nfunc plain", "", "", ""},
		{"a body", "int { return 1 }\n\nfunc reads", "int { return 2 }\n\nfunc reads", "m.plain changed", "m.plain changed", ""},
		{"one more function", "func plain", "func fresh() {}\n\nfunc plain", "", "m.fresh only bad has", ""},
		{"one less", "func generic[T any](x T) T { return x }", "", "m.generic only good has", "", ""},
		{"a blank one", "func _() { _ = first }", "func _() { _ = second }", "", "", ""},
		{"of tests", "func helper() {}", "func helper() { _ = 1 }", "m.helper changed", "m.helper changed", ""},
		{"init", "func init() { err = nil }", "func init() { err, _ = nil, 1 }", "m.init.0 changed", "m.init.0 changed", ""},
		{"a variable, and one made of it", "{1, 2}", "{1, 3}", data + "m.sum, which changed", data + "m.sum, which changed", ""},
		{"a constant that counts", "	first = iota", "	zeroth = iota\n	first", "m.counts uses m.third, which changed", "m.counts uses m.third, which changed", ""},
		{"a constant of the same value", "	first = iota", "	first = iota + 0", "", "", ""},
		{"a type", "struct{ n int }", "struct{ m, n int }",
			"m.holds uses m.box, which changed; m.looks uses m.box, which changed; (*box).Size uses m.box, which changed",
			"m.holds uses m.box, which changed; m.looks uses m.box, which changed; (*box).Size uses m.box, which changed", ""},
		{"a type that another points to", "struct{ b *box }", "struct{ _ int; b *box }",
			"m.points uses m.shelf, which changed; m.looks uses m.shelf, which changed",
			"m.points uses m.shelf, which changed; m.looks uses m.shelf, which changed", ""},
		{"a method that is asked for", "func plain", "func (s *shelf) Open() int { return 1 }\n\nfunc plain",
			"m.asks asks for a method Open, which a type gained or lost",
			"(*shelf).Open only bad has; m.asks asks for a method Open, which a type gained or lost", ""},
		{"another package of the same name", `"example.com/m/one"`, `one "example.com/m/two"`, "", "", "what initialises m.made differs, and runs before any benchmark"},
		{"a shadow", "func uses() int { return one.F() }", "func uses() int { return one.F() }\n\nfunc any() {}", "", "", ""},
		{"what an initialiser does", "one.Make(1)", "one.Make(2)", "", "", "what initialises m.made differs, and runs before any benchmark"},
		{"a literal", "func() int { return second }", "func() int { return first }", "", "", ""},
		{"one more error", "	err   error", "	err   error\n	other = errors.New(`x`)", "", "", ""},
		{"one more of no name", "	err   error", "	err   error\n	_ = one.Make(1)", "", "", "what initialises m._ differs, and runs before any benchmark"},
		{"one more assertion", "	err   error", "	err   error\n	_ any = (*box)(nil)", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(affectable, c.old, c.new, 1)
			if text == affectable {
				t.Fatal("nothing was changed")
			}
			if strings.Contains(text, "errors.New") {
				text = strings.Replace(text, `import "example.com/m/one"`, "import (\n\t\"errors\"\n\n\t\"example.com/m/one\"\n)", 1)
			}
			if c.name == "a shadow" {
				text = strings.Replace(text, "generic[T any](x T)", "generic[T interface{}](x T)", 1)
				text = strings.Replace(text, "asks(x any)", "asks(x interface{})", 1)
				text = strings.Replace(text, "func any() {}", "type any interface{ F() }", 1)
				c.good = "m.asks changed; m.generic changed"
				c.bad = c.good
			}
			list, always := Between(good, loadText(t, text)).Affected()
			if always != c.always {
				t.Fatalf("always: %q, want %q", always, c.always)
			}
			for side, want := range map[string]string{"good": c.good, "bad": c.bad} {
				got := list.Good
				if side == "bad" {
					got = list.Bad
				}
				if said := affectedText(got); said != want {
					t.Errorf("%s: %s\nwant %s", side, said, want)
				}
			}
		})
	}
}

func affectedText(list []Affected) string {
	var said []string
	for _, a := range list {
		name := strings.TrimPrefix(a.Name, "example.com/m.")
		if !strings.HasPrefix(name, "(") {
			name = "m." + name
		}
		said = append(said, fmt.Sprintf("%s %s", name, a.Why))
	}
	return strings.Join(slices.Clip(said), "; ")
}
