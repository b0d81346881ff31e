package compare

import (
	"testing"
	"time"
)

// A look that there is no time for comes early, if it would still tell more.
func TestFitting(t *testing.T) {
	for _, test := range []struct {
		name    string
		have, n int
		left    time.Duration
		want    int
	}{
		{"time for all", 24, 48, time.Hour, 48},
		{"time for some", 24, 48, 21 * time.Minute, 42},
		{"time for hardly any", 24, 48, 5 * time.Minute, 24},
		{"none left", 24, 48, -time.Minute, 24},
	} {
		b := &Budget{Limit: test.left, Start: time.Now(), Pair: time.Minute}
		if got := b.fitting(test.have, test.n); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
