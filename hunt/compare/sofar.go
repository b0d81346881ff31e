package compare

import (
	"fmt"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/stats"
)

// A Follower is told how a hunt comes on, while it runs. What is nil is told nobody.
type Follower struct {
	Progress func(phase string, done, total int) // total 0: unknown
	SoFar    func(guess string)                  // the best guess, whenever there is a better one
	Why      func(decision string)               // each decision, with the figures that it rests on
}

// guess is what is known so far.
type guess struct {
	ratio           stats.Interval // of the whole; Mean 0: not known
	cleared, differ int            // suspects
	left            time.Duration  // until the next look
}

func (g guess) String() string {
	var parts []string
	if g.ratio.Mean > 0 { // not of a good that is 0
		parts = append(parts, inRatios(g.ratio))
	}
	if g.differ > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s cleared", g.cleared, text.Plural(g.differ, "suspect")))
	}
	if len(parts) == 0 {
		return ""
	}
	if g.left >= time.Second {
		parts = append(parts, fmt.Sprintf("about %v to the next look", g.left.Round(time.Second)))
	}
	return "so far: " + strings.Join(parts, "; ")
}

// inRatios is how many times as slow bad is, in words.
func inRatios(r stats.Interval) string {
	return fmt.Sprintf("%sx [%s, %s]", text.Significant(r.Mean, 3), text.Significant(r.Low, 3), text.Significant(r.High, 3))
}
