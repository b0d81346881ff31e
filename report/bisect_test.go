package report

import (
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

func TestBisectText(t *testing.T) {
	long := strings.Repeat("a subject that does not end ", 9)
	share := 0.93
	commit := func(c string) Commit {
		return Commit{Hash: strings.Repeat(c, 40), Author: "An Author", Date: "2026-11-02", Subject: long}
	}
	steps := []BisectStep{
		{Commit: strings.Repeat("b", 40), Stage: "ends", Mark: "bad", Subject: long, Pairs: 6},
		{Commit: strings.Repeat("d", 40), Stage: "search", Mark: "skip", Subject: long, Reason: "it does not build"},
		{Commit: strings.Repeat("e", 40), Stage: "search", Mark: "good", Subject: long, Level: &Interval{-0.01, -0.07, 0.05}, Pairs: 6},
		{Commit: strings.Repeat("c", 40), Stage: "confirm", Mark: "erratic", Subject: long, Level: &Interval{0.5, -1.3, 12.25}, Pairs: 16},
	}
	steps = append(steps, BisectStep{Commit: strings.Repeat("f", 40), Stage: "search", Subject: long, Pairs: 3})
	for name, c := range map[string]struct {
		report Report
		want   []string
		never  []string
	}{
		"found": {
			Report{Verdict: Regression, Bisect: &Bisect{FirstBad: ptr(commit("c")), Verified: true, Share: &share, Commits: 64, Measured: 7, Steps: steps, Bound: 0.004,
				Good: Revision{Rev: "v1.0", Commit: strings.Repeat("a", 40)}, Bad: Revision{Rev: "HEAD", Commit: strings.Repeat("b", 40)}}},
			[]string{"first bad commit: cccccccccc  a subject", "93 % of the difference between", "v1.0 and HEAD", "0.4 %", "it does not build", "erratic again", "-1 % (-7 to 5)", "64 commits, 7 measured", "ffffffffff cut short"},
			[]string{"bbbbbbbbbb", "other commits"},
		},
		"not verified": {
			Report{Bisect: &Bisect{FirstBad: ptr(commit("c"))}},
			[]string{"not seen to be slower", "not decided"},
			[]string{"Slower than its parent"},
		},
		"drift": {
			Report{Bisect: &Bisect{FirstBad: ptr(commit("c")), Verified: true, Share: &share, Others: true}},
			[]string{"other commits"}, nil,
		},
		"a range": {
			Report{Verdict: Regression, Bisect: &Bisect{OneOf: []Commit{commit("c"), commit("d")}}},
			[]string{"one of these 2", "cccccccccc", "dddddddddd"},
			[]string{"not found"},
		},
		"nothing": {
			Report{Bisect: &Bisect{Why: "it was " + long}},
			[]string{"first bad commit: not found", "it was a subject"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := c.report.WriteText(&b); err != nil {
				t.Fatal(err)
			}
			said := strings.Join(strings.Fields(b.String()), " ")
			for _, want := range c.want {
				if !strings.Contains(said, strings.Join(strings.Fields(want), " ")) {
					t.Errorf("%q is not in\n%s", want, b.String())
				}
			}
			for _, never := range c.never {
				if strings.Contains(said, never) {
					t.Errorf("%q is in\n%s", never, b.String())
				}
			}
			for line := range strings.Lines(b.String()) {
				if text.Columns(strings.TrimSuffix(line, "\n")) > text.Width {
					t.Errorf("too wide: %s", line)
				}
			}
		})
	}
}

func ptr[T any](x T) *T { return &x }
