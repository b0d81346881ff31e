package harness

import "testing"

func TestHighWater(t *testing.T) {
	for status, want := range map[string]int64{
		"Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 12 kB\n": 1234 << 10,
		"Name:\tx\nState:\tZ (zombie)\n":                                     0,
		"Name:\tVmHWM: 7 kB\n":                                               0,
		"":                                                                   0,
	} {
		if got := highWater(status); got != want {
			t.Errorf("%q: %d, want %d", status, got, want)
		}
	}
}
