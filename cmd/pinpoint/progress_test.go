package main

import (
	"strings"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/fleet"
	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// In a pipe a phase is named once, and again after ten seconds with how far it is.
func TestProgressInPipe(t *testing.T) {
	var b strings.Builder
	p := newProgress(outside.NewTerminal(&b))
	start := time.Unix(0, 0)
	for i := range 25 {
		p.showAt(start.Add(time.Duration(i)*time.Second), "comparing", i+1, 60)
	}
	p.showAt(start, "building", 0, 0)
	if want := "comparing\n  comparing: pair 11 of 60\n  comparing: pair 21 of 60\nbuilding\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// What is known so far is beside how far it is, and a decision on a line of its own.
func TestProgressTellsSoFar(t *testing.T) {
	var b strings.Builder
	term := outside.NewTerminal(&b)
	term.Verbose = true
	p := newProgress(term)
	f := p.follower()
	start := time.Unix(0, 0)
	p.showAt(start, "comparing", 1, 60)
	f.SoFar("so far: 1.42x [1.35, 1.50]")
	p.showAt(start.Add(10*time.Second), "comparing", 11, 60)
	f.Why("whole after 8 pairs: slower")
	if want := "comparing\n  comparing: pair 11 of 60; so far: 1.42x [1.35, 1.50]\n  why  whole after 8 pairs: slower\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// How a fleet stands is beside each phase, and beside how far it is.
func TestProgressOfFleet(t *testing.T) {
	var b strings.Builder
	p := newProgress(outside.NewTerminal(&b))
	stands := fleet.Counts{There: 4, Out: 7, Doubled: 1, Gone: 1}
	p.follow(func() string { return stands.Live() })
	start := time.Unix(0, 0)
	p.showAt(start, "comparing", 1, 60)
	stands.Out, stands.Late = 1, 2
	p.showAt(start.Add(stillThere), "comparing", 11, 60)
	want := "comparing; 4 workers, 7 rounds given out, 1 again, 1 worker gone\n" +
		"  comparing: pair 11 of 60; 4 workers, 1 round given out, 3 again, 1 worker gone\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestQuiet(t *testing.T) {
	var b strings.Builder
	term := outside.NewTerminal(&b)
	term.Quiet = true
	p := newProgress(term)
	p.show("comparing", 1, 2)
	p.found(report.Culprit{Function: "m.F"})
	if b.Len() > 0 {
		t.Errorf("%q", b.String())
	}
}

// Colours are written where they are wanted only, and what came from outside has none.
func TestColours(t *testing.T) {
	for _, colours := range []bool{false, true} {
		var b strings.Builder
		term := outside.NewTerminal(&b)
		term.Colours = colours
		w := text.NewWriter(term)
		w.In(text.Removed, func() { w.Line("- old\x1b[1m") })
		w.Line("rest")
		w.Flush()
		want := "- old\\u001b[1m\nrest\n"
		if colours {
			want = "\x1b[31m- old\\u001b[1m\n\x1b[0mrest\n"
		}
		if b.String() != want {
			t.Errorf("colours %v: %q, want %q", colours, b.String(), want)
		}
	}
}
