package hunt

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/stats"
)

// From each guilty suspect the search goes down to the deepest that has most of
// its gain, and starts nowhere if what it chose does not explain the whole.
func TestChoose(t *testing.T) {
	fns := functions("tabcx")
	stacks := stacksFrom(fns, map[string]int64{"tabc": 1, "tx": 1})
	suspects := func(gains map[rune]float64, order string) []suspect {
		var list []suspect
		for _, r := range order {
			list = append(list, suspect{part: part{badFunc: fns[r]}, delta: gained(gains[r])})
		}
		return list
	}
	for _, test := range []struct {
		name  string
		gains map[rune]float64
		order string // largest gain first
		want  string
	}{
		{"the only one", map[rune]float64{'a': 100}, "a", "a"},
		{"the deepest", map[rune]float64{'a': 100, 'b': 95, 'c': 90}, "abc", "c"},
		{"not what has little of it", map[rune]float64{'a': 100, 'b': 95, 'c': 20}, "abc", "b"},
		{"two side by side", map[rune]float64{'c': 50, 'x': 45}, "cx", "cx"},
		{"too little explained", map[rune]float64{'x': 30}, "x", ""},
		{"none", nil, "", ""},
	} {
		h := &hunt{}
		got := ""
		for _, s := range h.choose(suspects(test.gains, test.order), gained(100), stacks) {
			got += s.badFunc.Name
		}
		if got != test.want {
			t.Errorf("%s: chose %q, want %q", test.name, got, test.want)
		}
	}
	h := &hunt{}
	same := gained(100)
	same.Verdict = stats.Same
	if got := h.choose(suspects(map[rune]float64{'a': 100}, "a"), same, stacks); got != nil {
		t.Error("chose a suspect although the probed whole is not slower")
	}
}

// Few stacks of a mutual recursion can put each beneath the next, in a circle.
func TestChooseInACircle(t *testing.T) {
	fns := functions("tabc")
	stacks := stacksFrom(fns, map[string]int64{"tab": 1, "tbc": 1, "tca": 1})
	var guilty []suspect
	for _, r := range "abc" {
		guilty = append(guilty, suspect{part: part{badFunc: fns[r]}, delta: gained(100)})
	}
	if got := (&hunt{}).choose(guilty, gained(100), stacks); len(got) == 0 {
		t.Error("chose nobody")
	}
}

// What good does not call is asked for by who does in bad, if that is a suspect, too.
func TestAskedFor(t *testing.T) {
	fns := functions("tabx")
	h := &hunt{stacks: stacksFrom(fns, map[string]int64{"tab": 1, "tx": 1})}
	a, b, x := suspect{part: part{badFunc: fns['a']}}, suspect{part: part{badFunc: fns['b']}, anew: true}, suspect{part: part{badFunc: fns['x']}, anew: true}
	for _, test := range []struct {
		name   string
		s      suspect
		guilty []suspect
		want   bool
	}{
		{"called anew by a", b, []suspect{a, b}, true},
		{"nobody above it differs", x, []suspect{a, x}, false},
		{"alone", b, []suspect{b}, false},
		{"good calls it", suspect{part: b.part}, []suspect{a, b}, false},
	} {
		if got := h.askedFor(test.s, test.guilty); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestOneDeclaration(t *testing.T) {
	fns := functions("ab")
	in := func(fn *callgraph.Function) *callgraph.Function { return &callgraph.Function{Outer: fn} }
	both := func(fn *callgraph.Function) part { return part{goodFunc: fn, badFunc: fn} }
	literal := in(fns['a'])
	for _, test := range []struct {
		name string
		list []part
		want *callgraph.Function // nil: several
	}{
		{"one function", []part{both(fns['a'])}, fns['a']},
		{"one literal", []part{both(literal)}, literal},
		{"a function and a literal in it", []part{both(fns['a']), both(in(literal))}, fns['a']},
		{"two", []part{both(fns['a']), both(fns['b'])}, nil},
		{"a literal and another function", []part{both(literal), both(fns['b'])}, nil},
	} {
		only, ok := oneDeclaration(test.list)
		if ok != (test.want != nil) || ok && only.badFunc != test.want {
			t.Errorf("%s: %v, %v", test.name, only, ok)
		}
	}
}

func gained(ns float64) stats.Comparison {
	return stats.Comparison{Verdict: stats.Slower, Diff: stats.Interval{Mean: ns, Low: ns - 1, High: ns + 1}}
}
