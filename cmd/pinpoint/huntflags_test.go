package main

import "testing"

func TestAgain(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"find", "--good", "a"}, "pinpoint find --good a --budget 12m"},
		{[]string{"find", "--budget", "1m", "--good", "a"}, "pinpoint find --good a --budget 12m"},
		{[]string{"find", "--budget=1m", "--bench", "a b"}, "pinpoint find --bench 'a b' --budget 12m"},
		{[]string{"find", "--main", "./x", "--", "--budget", "7"}, "pinpoint find --main ./x --budget 12m -- --budget 7"},
	} {
		if got := again(test.args, "--budget", "--budget 12m"); got != test.want {
			t.Errorf("%q: %s, want %s", test.args, got, test.want)
		}
	}
}
