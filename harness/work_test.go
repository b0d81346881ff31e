package harness

import "testing"

func TestWork(t *testing.T) {
	pairs := func(instructions, cycles, scatter float64) (list []Pair) {
		for i := range 8 {
			off := 1 + scatter*float64(i%4)
			good := Executed{Instructions: 1e6 * off, Cycles: 2e6 * off}
			bad := Executed{Instructions: 1e6 * instructions, Cycles: 2e6 * cycles}
			list = append(list, Pair{Good: Process{Executed: good}, Bad: Process{Executed: bad}})
		}
		return list
	}
	for _, test := range []struct {
		name  string
		pairs []Pair
		want  string
	}{
		{"more", pairs(1.12, 1.2, .0005), "bad executes 11.9 % more instructions"},
		{"a little more", pairs(1.012, 1.2, .0005), "bad executes 1.12 % more instructions"},
		{"hardly more", pairs(1.002, 1, .00001), "bad executes as many instructions in as many cycles: it waits"},
		{"fewer", pairs(.8, 1.2, .0005), "bad executes 20.1 % fewer instructions"},
		{"misses", pairs(1, 1.5, .0005), "bad executes as many instructions in 49.9 % more cycles: it misses caches, or branches are predicted worse"},
		{"waits", pairs(1, 1, .0005), "bad executes as many instructions in as many cycles: it waits"},
		{"either", pairs(1, .9, .0005), "bad executes as many instructions: it waits, or misses caches"},
		{"not clear", pairs(1, 1, .05), ""},
	} {
		w, ok := WorkOf(test.pairs)
		if got := w.Words(); got != test.want || !ok {
			t.Errorf("%s: %q, %v, want %q (%+v)", test.name, got, ok, test.want, w)
		}
	}
	uncounted := pairs(1, 1, 0)
	uncounted[7].Bad.Executed = Executed{}
	for _, none := range [][]Pair{nil, uncounted, uncounted[:1]} {
		if w, ok := WorkOf(none); ok {
			t.Errorf("%d pairs: %+v", len(none), w)
		}
	}
}
