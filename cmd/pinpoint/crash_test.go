package main

import (
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/report"
)

// TestCrash: a panic says what was known until then, and where to report it.
func TestCrash(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b)
	p.show("comparing the revisions", 3, 10)
	p.found(report.Culprit{Function: "example.com/m.f", Position: "m.go:3:1"})
	b.Reset()
	var list []int
	status := guarded(&b, func() int { return list[3] })
	if status != 2 {
		t.Errorf("exit status %d, want 2", status)
	}
	for _, want := range []string{
		"a defect of pinpoint itself: runtime error: index out of range [3]", "it was comparing the revisions", "example.com/m.f",
		"Please report it", "https://github.com/pinpoint-go/pinpoint/issues", "crash_test.go:",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
	b.Reset()
	if status := guarded(&b, func() int { return 3 }); status != 3 || b.Len() > 0 {
		t.Errorf("without a panic: %d, %q", status, b.String())
	}
}
