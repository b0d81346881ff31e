package report

import "testing"

func TestInterval(t *testing.T) {
	s := scaleFor(3.15e6, "ns/op")
	if got, want := s.interval(Interval{3.15e6, -3.05e6, 3.27e6}), "+3.15 ms [-3.05, +3.27]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
