package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

const goodWalk = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

type node interface{ walk(v *visitor) }

type visitor struct{ n int }

type leaf int

type old int

type list []node

func (leaf) walk(v *visitor) { v.count() }

func (old) walk(v *visitor) { v.count() }

func (l list) walk(v *visitor) {
	v.enter(l)
	for _, n := range l {
		n.walk(v)
	}
}

func (v *visitor) count() { v.n++ }

func (v *visitor) enter(n node) { v.count() }

func Walk(n node) int {
	v := new(visitor)
	list{list{n}, leaf(1), old(2)}.walk(v)
	return v.n
}
`

// A group gains a member and calls, and a leaf is another type's now.
func TestAlignGroups(t *testing.T) {
	bad := strings.NewReplacer(
		"type old int", "type fresh []node",
		"func (old) walk(v *visitor) { v.count() }", "type word string\n\nfunc (word) walk(v *visitor) { v.count() }\n\nfunc (f fresh) walk(v *visitor) { v.count(); f[0].walk(v) }",
		"old(2)", "fresh{n}, word(\"\")",
		"\tv.enter(l)\n", "\tv.check(l)\n\tv.enter(l)\n",
		"func Walk", "func (v *visitor) check(n node) { v.count() }\n\nfunc Walk",
	).Replace(goodWalk)
	g, b := loadText(t, goodWalk), loadText(t, bad)
	groups := make(map[*callgraph.Program]*callgraph.Group)
	for _, p := range []*callgraph.Program{g, b} {
		group, err := p.Group(p.Lookup("example.com/m.list.walk"))
		if err != nil {
			t.Fatal(err)
		}
		groups[p] = group
	}
	var got []string
	name := func(fn *callgraph.Function) string {
		if fn == nil {
			return "-"
		}
		return strings.TrimPrefix(fn.Name, "example.com/m.")
	}
	text := func(c *callgraph.Call) string {
		if c == nil {
			return "-"
		}
		return c.Text
	}
	for _, p := range Between(g, b).AlignGroups(groups[g], groups[b]) {
		if p.Calls == (Pair[*callgraph.Call]{}) {
			got = append(got, fmt.Sprintf("leaf %s %s", name(p.Leaf.Good), name(p.Leaf.Bad)))
			continue
		}
		got = append(got, fmt.Sprintf("%s %s: %s %s", name(p.In.Good), name(p.In.Bad), text(p.Calls.Good), text(p.Calls.Bad)))
	}
	want := []string{
		"list.walk list.walk: - v.check(l)",
		"list.walk list.walk: v.enter(l) v.enter(l)",
		"- fresh.walk: - v.count()",
		"leaf leaf.walk leaf.walk",
		"leaf old.walk word.walk", // its code moved there
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
