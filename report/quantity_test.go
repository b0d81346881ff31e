package report

import "testing"

func TestInterval(t *testing.T) {
	s := scaleFor(3.15e6, "ns/op")
	if got, want := s.interval(Interval{3.15e6, -3.05e6, 3.27e6}), "+3.15 ms [-3.05, +3.27]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for unit, want := range map[string]string{"live-B": "2.82 MB live", "gc-ns/op": "2.82 ms of GC/op", "CPU-ns/op": "2.82 ms of CPU/op", "hits/op": "2820000 hits/op"} {
		if s := scaleFor(2.82e6, unit); s.format(2.82e6)+" "+s.perOp() != want {
			t.Errorf("%s %s, want %s", s.format(2.82e6), s.perOp(), want)
		}
	}
}
