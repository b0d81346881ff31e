package layers

import (
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
)

func calling(gate *callgraph.Call) Part {
	return Part{Calls: change.Pair[*callgraph.Call]{Good: &callgraph.Call{}, Bad: &callgraph.Call{}}, gate: gate}
}

func sameParts(a, b []Part) bool {
	return slices.EqualFunc(a, b, func(p, q Part) bool { return p.Calls.Bad == q.Calls.Bad })
}

// The steps of a chain count within each other; where a gate was refused, what it led
// to counts everywhere.
func TestPathOfSteps(t *testing.T) {
	first := calling(nil)
	second := calling(first.Calls.Bad)
	third := calling(second.Calls.Bad)
	refused := calling(&callgraph.Call{})
	f := &Layer{nested: true, Parts: []Part{first, second, third, refused}}
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
	if got := f.pathOf(2); !sameParts(got, []Part{first, second}) {
		t.Errorf("the path of the third step is %v", got)
	}
	if got := f.pathOf(3); len(got) != 0 {
		t.Errorf("a part without a gate has the path %v", got)
	}
}

// The gates of a layer, innermost first: the call that leads to it is one, or not.
func TestGatesOfALayer(t *testing.T) {
	top, via := calling(nil), calling(nil)
	parent := &Layer{Parts: []Part{calling(nil), via}}
	for _, test := range []struct {
		name   string
		gates  []Part
		ids    []int // of gates; the frame has one part, 0, and 1 is the call that leads to it
		chain  []Part
		counts int
	}{
		{"none", nil, nil, []Part{via}, -1},
		{"the call", []Part{via}, []int{1}, []Part{via}, 0},
		{"one above", []Part{top}, []int{3}, []Part{top, via}, 0},
		{"both", []Part{via, top}, []int{1, 4}, []Part{top, via}, 0},
	} {
		f := &Layer{Parent: parent, Via: 1, Parts: []Part{calling(nil)}, gates: test.gates}
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
