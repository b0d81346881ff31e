package profile

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// functions gives one function for each letter.
func functions(letters string) map[rune]*callgraph.Function {
	fns := make(map[rune]*callgraph.Function)
	for _, r := range letters {
		fns[r] = &callgraph.Function{Name: string(r)}
	}
	return fns
}

func stacksFrom(fns map[rune]*callgraph.Function, weights map[string]int64) []Stack {
	var list []Stack
	for text, weight := range weights {
		st := Stack{Weight: weight}
		for i, r := range text {
			st.Sites = append(st.Sites, Site{fns[r], i})
		}
		list = append(list, st)
	}
	return list
}

func names(sites []Site) string {
	text := ""
	for _, s := range sites {
		text += s.Func.Name
	}
	return text
}

func TestPathTo(t *testing.T) {
	fns := functions("tabcx")
	for _, test := range []struct {
		name   string
		stacks map[string]int64
		to     rune
		want   string
	}{
		{"the way most often seen", map[string]int64{"tabx": 3, "tcx": 2}, 'x', "tabx"},
		{"ways are counted over what lies below", map[string]int64{"tabx": 3, "tcx": 2, "tcxa": 2}, 'x', "tcx"},
		{"recursion is left out", map[string]int64{"tababx": 1}, 'x', "tabx"},
		{"to itself", map[string]int64{"tab": 1}, 't', "t"},
		{"never seen", map[string]int64{"tab": 1}, 'x', ""},
	} {
		if got := names(PathTo(stacksFrom(fns, test.stacks), fns[test.to])); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// The site kept of a function that is on the stack several times is the one that
// leads on: its line is where the next call is.
func TestPathToKeepsTheCallThatLeadsOn(t *testing.T) {
	fns := functions("tabx")
	path := PathTo(stacksFrom(fns, map[string]int64{"tabax": 1}), fns['x'])
	if names(path) != "tax" || path[1].Line != 3 {
		t.Errorf("got %q, a at line %d; want tax, 3", names(path), path[1].Line)
	}
}
