package harness

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func turnsOf(t *testing.T, pattern string) Campaign {
	return Campaign{
		Good: buildSubject(t, "good", "./sub", Bench), Bad: buildSubject(t, "bad", "./sub", Bench),
		Workload: Workload{Pattern: pattern, Env: []string{"SUBJECT_LOG"}},
		GoodN:    2, BadN: 2, Batches: 4, Rand: rand.New(rand.NewPCG(1, 2)),
	}
}

// Each of the benchmark's batches is as long as a turn and leaves a line. The
// first two, a single iteration and the warm-up, come before the turns.
func TestPairsTakeTurns(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("SUBJECT_LOG", log)
	c := turnsOf(t, "^BenchmarkTurn$")
	for _, test := range []struct {
		batches   int
		goodFirst bool
		want      string
	}{
		{4, true, "good good good | bad bad bad | good bad good bad good bad"},
		{4, false, "bad bad bad | good good good | bad good bad good bad good"},
		{2, true, "good good good good | bad bad bad bad"}, // too few to take turns
	} {
		os.Remove(log)
		c.Batches = test.batches
		pair, err := c.pair(t.Context(), test.goodFirst, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(pair.Good.Batches) != test.batches || len(pair.Bad.Batches) != test.batches || pair.GoodFirst != test.goodFirst {
			t.Errorf("%d and %d batches, want %d each", len(pair.Good.Batches), len(pair.Bad.Batches), test.batches)
		}
		got, err := os.ReadFile(log)
		want := strings.ReplaceAll(strings.ReplaceAll(test.want, " | ", "\n")+"\n", " ", "\n")
		if err != nil || string(got) != want {
			t.Errorf("%d batches: ran %q, want %q", test.batches, got, want)
		}
	}
}

// A process that fails in its turn fails the pair, and its twin doesn't wait for it.
func TestTurnsEndWithAFailure(t *testing.T) {
	c := turnsOf(t, "^BenchmarkBadDies$")
	for _, goodFirst := range []bool{true, false} {
		_, err := c.pair(t.Context(), goodFirst, nil)
		var failed *WorkloadError
		if !errors.As(err, &failed) || failed.Label != "bad" || failed.Cause.Error() != "exit status 1" {
			t.Errorf("good first %v: error %v, want that of bad", goodFirst, err)
		}
	}
}

// The one that hangs is blamed, not the one that waits for it.
func TestTurnsEndWithAHang(t *testing.T) {
	c := turnsOf(t, "^BenchmarkBadHangs$")
	c.Workload.Timeout = time.Second
	for _, goodFirst := range []bool{true, false} {
		_, err := c.pair(t.Context(), goodFirst, nil)
		var failed *WorkloadError
		if !errors.As(err, &failed) || failed.Label != "bad" || !errors.Is(err, ErrHung) {
			t.Errorf("good first %v: error %v, want that of bad", goodFirst, err)
		}
	}
}

// Pairs go round the layouts, and one that runs again keeps its own.
func TestPairsGoRoundLayouts(t *testing.T) {
	good, bad := buildSubject(t, "good", "./sub", Bench), buildSubject(t, "bad", "./sub", Bench)
	c := turnsOf(t, "^BenchmarkN$")
	c.Layouts = []Twins{{Good: good, Bad: bad}, {Good: bad, Bad: good}}
	pairs, err := c.Pairs(t.Context(), 3, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pairs {
		want := c.Layouts[i%2]
		if p.Layout != i%2+1 || p.Good.Command[0] != want.Good.Path || p.Bad.Command[0] != want.Bad.Path {
			t.Errorf("pair %d: layout %d, %s against %s", i, p.Layout, p.Good.Command[0], p.Bad.Command[0])
		}
	}
}

// The processes of a duet are there at the same time, and end with each other.
func TestDuet(t *testing.T) {
	t.Setenv("SUBJECT_LOG", filepath.Join(t.TempDir(), "log"))
	c := turnsOf(t, "^BenchmarkMeets$")
	c.Duet = true
	pair, err := c.pair(t.Context(), true, nil)
	if err != nil || pair.InTurns || len(pair.Good.Batches) != 4 {
		t.Errorf("%d batches, in turns %v, %v", len(pair.Good.Batches), pair.InTurns, err)
	}
	c.Workload.Pattern = "^BenchmarkBadDies$"
	for _, goodFirst := range []bool{true, false} {
		_, err := c.pair(t.Context(), goodFirst, nil)
		var failed *WorkloadError
		if !errors.As(err, &failed) || failed.Label != "bad" {
			t.Errorf("good first %v: error %v, want that of bad", goodFirst, err)
		}
	}
}
