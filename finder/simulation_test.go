package finder

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

// program makes a tree of three layers, six calls wide; what slow names costs
// 30 more in bad.
func program(slow string) *node {
	root := &node{name: "f", good: 20, bad: 20}
	for i := range 6 {
		a := &node{name: fmt.Sprint("a", i), good: 10, bad: 10}
		for k := range 6 {
			b := &node{name: fmt.Sprintf("a%db%d", i, k), good: 5, bad: 5}
			if b.name == slow {
				b.bad += 30
			}
			a.calls = append(a.calls, b)
		}
		root.calls = append(root.calls, a)
	}
	return root
}

// simulate hunts rounds times and counts the hunts that found anything wrong:
// a verdict on the whole, a guilty part or a culprit that the tree doesn't
// bear out, and those whose wrong culprit was even confirmed.
func simulate(t *testing.T, slow string, rounds int, alpha float64) (wrong, accused, found int) {
	t.Helper()
	for round := range rounds {
		b := newBench(program(slow), uint64(round))
		b.noise, b.effect, b.most = .02, 0, 12
		b.ledger = stats.Ledger{Alpha: alpha}
		s := &Search{
			Narrow:  []Narrow{Binary, Linear, Sweep}[round%3],
			Measure: b.stage(stats.Search), Confirm: b.stage(stats.Confirmation), Dig: b.dig,
			MinShare: 1e-9, // follow the least suspicion
		}
		r, err := s.Run(context.Background(), b.root.layer())
		if err != nil || r.Err != nil {
			t.Fatal(err, r.Err)
		}
		if b.ledger.Spent() > alpha {
			t.Fatalf("spent %v of %v", b.ledger.Spent(), alpha)
		}
		isWrong, isAccused := slow == "" && r.Verdict != stats.Unknown, false
		for _, c := range r.Culprits {
			name := partName(c.Last())
			switch {
			case slow != "" && strings.HasPrefix(name, slow):
				if c.Confirmed {
					found++
				}
			case slow != "" && onTheWay(c, slow):
			default:
				isWrong = true
				isAccused = isAccused || c.Confirmed
			}
		}
		if isWrong {
			wrong++
		}
		if isAccused {
			accused++
		}
	}
	return wrong, accused, found
}

// onTheWay reports whether a culprit is too large to name what is slow, but
// does contain it.
func onTheWay(c Culprit, slow string) bool {
	p := c.Last()
	if p.Own || !strings.HasPrefix(slow, p.Layer.Name) && p.Layer.Name != "f" {
		return false
	}
	for _, call := range p.Layer.Calls[p.Region.From:p.Region.To] {
		if strings.HasPrefix(slow, call.Name) {
			return true
		}
	}
	return false
}

// Hunts through a program without a difference, and hunts for one culprit
// among 36, may be wrong as often as the ledger says. No minimum effect and no
// minimum share help them; alpha is large so that the simulation can bite.
func TestWrongNamesWithinAlpha(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 900 hunts")
	}
	const alpha = .9
	limit := func(rounds int) int {
		n := float64(rounds)
		return int(n*alpha + 3*math.Sqrt(n*alpha*(1-alpha)))
	}
	wrong, accused, _ := simulate(t, "", 600, alpha)
	t.Logf("good against good: %d of 600 hunts wrong, %d with a confirmed culprit", wrong, accused)
	if wrong > limit(600) || accused > limit(600)/4 {
		t.Errorf("good against good: %d wrong and %d accused in 600 hunts at alpha %v", wrong, accused, alpha)
	}
	if wrong == 0 {
		t.Error("good against good: never wrong, so the simulation does not bite")
	}
	wrong, accused, found := simulate(t, "a4b2", 300, alpha)
	t.Logf("one culprit: %d of 300 hunts wrong, %d confirmed a wrong one, %d confirmed the right one", wrong, accused, found)
	if wrong > limit(300) || accused > limit(300)/4 {
		t.Errorf("one culprit: %d wrong and %d accused in 300 hunts at alpha %v", wrong, accused, alpha)
	}
	if found < 240 {
		t.Errorf("one culprit: found in %d of 300 hunts", found)
	}
}
