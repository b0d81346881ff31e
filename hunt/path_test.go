package hunt

import (
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

func calling(gate *callgraph.Call) part {
	return part{goodCall: &callgraph.Call{}, badCall: &callgraph.Call{}, gate: gate}
}

func sameParts(a, b []part) bool {
	return slices.EqualFunc(a, b, func(p, q part) bool { return p.badCall == q.badCall })
}

// The steps of a chain count within each other; where a gate was refused, what it led
// to counts everywhere.
func TestPathOfSteps(t *testing.T) {
	first := calling(nil)
	second := calling(first.badCall)
	third := calling(second.badCall)
	refused := calling(&callgraph.Call{})
	f := &frame{nested: true, parts: []part{first, second, third, refused}}
	for id, want := range []int{-1, 0, 1, -1} {
		if got := f.gateOf(id); got != want {
			t.Errorf("part %d counts within %d, want %d", id, got, want)
		}
	}
	for id, want := range []bool{true, true, false, false} {
		if got := f.isGate(id); got != want {
			t.Errorf("part %d is a gate: %v", id, got)
		}
	}
	if got := f.pathOf(2); !sameParts(got, []part{first, second}) {
		t.Errorf("the path of the third step is %v", got)
	}
	if got := f.pathOf(3); len(got) != 0 {
		t.Errorf("a part without a gate has the path %v", got)
	}
}

// The gates of a layer, innermost first: the call that leads to it is one, or not.
func TestGatesOfALayer(t *testing.T) {
	top, via := calling(nil), calling(nil)
	parent := &frame{parts: []part{calling(nil), via}}
	for _, test := range []struct {
		name   string
		gates  []part
		ids    []int // of gates; the frame has one part, 0, and 1 is the call that leads to it
		chain  []part
		counts int
	}{
		{"none", nil, nil, []part{via}, -1},
		{"the call", []part{via}, []int{1}, []part{via}, 0},
		{"one above", []part{top}, []int{3}, []part{top, via}, 0},
		{"both", []part{via, top}, []int{1, 4}, []part{top, via}, 0},
	} {
		f := &frame{parent: parent, via: 1, parts: []part{calling(nil)}, gates: test.gates}
		for k, want := range test.ids {
			if got := f.gateID(k); got != want || got >= f.probes() {
				t.Errorf("%s: gate %d has probe %d, want %d", test.name, k, got, want)
			}
		}
		if got := f.chain(); !sameParts(got, test.chain) {
			t.Errorf("%s: the chain is %v", test.name, got)
		}
		if got := f.gateOf(0); got != test.counts {
			t.Errorf("%s: its part counts within gate %d", test.name, got)
		}
	}
}
