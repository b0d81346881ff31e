package compare

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

// A verdict that holds only without the disturbed pairs is none; one that holds
// either way stays, and unknown stays unknown.
func TestDoubtDisturbed(t *testing.T) {
	for _, test := range []struct{ kept, all, want stats.Verdict }{
		{stats.Slower, stats.Slower, stats.Slower},
		{stats.Slower, stats.Unknown, stats.Unknown},
		{stats.Same, stats.Slower, stats.Unknown},
		{stats.Unknown, stats.Slower, stats.Unknown},
		{stats.Faster, stats.Faster, stats.Faster},
	} {
		c := stats.Comparison{Verdict: test.kept}
		doubtDisturbed(&c, stats.Comparison{Verdict: test.all})
		if c.Verdict != test.want || (len(c.Warnings) > 0) != (test.kept != test.want) {
			t.Errorf("%v, with all pairs %v: %v %q, want %v", test.kept, test.all, c.Verdict, c.Warnings, test.want)
		}
	}
}
