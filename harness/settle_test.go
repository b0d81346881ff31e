package harness

import "testing"

// timed is a process of batches of 2 operations with these times.
func timed(ns ...float64) Process {
	var p Process
	for _, x := range ns {
		p.Batches = append(p.Batches, Batch{N: 2, NS: x})
	}
	return p
}

func TestSettled(t *testing.T) {
	var warms, swings, steady, slides []float64
	for i := range 40 {
		warms = append(warms, 100+1000/float64(1+i))
		swings = append(swings, []float64{100, 150}[i%2])
		steady = append(steady, 100)
		slides = append(slides, 100*float64(int(1)<<(i%30)))
	}
	for _, test := range []struct {
		name string
		ns   []float64
		from int
		ok   bool
	}{
		{"steady", steady, 0, true},
		{"warms up", warms, 6, true},
		{"swings", swings, 0, false},
		{"slides", slides, 0, false},
		{"swings, then steady", append(swings[:30:30], steady[:10]...), 30, true},
		{"few", swings[:19], 0, true},
		{"none", nil, 0, true},
	} {
		if from, ok := timed(test.ns...).Settled(); from != test.from || ok != test.ok {
			t.Errorf("%s: settled from %d, %v; want %d, %v", test.name, from, ok, test.from, test.ok)
		}
	}
}
