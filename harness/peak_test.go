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

func TestRounded(t *testing.T) {
	for _, test := range []struct {
		w       Workload
		n, want int64
	}{
		{Workload{Round: 3}, 7, 9}, {Workload{Round: 3}, 9, 9}, {Workload{Round: 1}, 7, 7},
		{Workload{}, 7, 7}, {Workload{Kind: Main, Round: 3}, 1, 1},
	} {
		if got := test.w.rounded(test.n); got != test.want {
			t.Errorf("%d iterations, %d at a time: %d, want %d", test.n, test.w.Round, got, test.want)
		}
	}
}

func TestInRoom(t *testing.T) {
	args := []string{"-o", "{{tmp}}/out", "x"}
	if got := inRoom(args, "/t"); got[1] != "/t/out" || got[2] != "x" || args[1] != "{{tmp}}/out" {
		t.Errorf("%q of %q", got, args)
	}
}
