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

// triplesOf have a third side that is bad's but for what it calls itself.
func triplesOf(t *testing.T, pattern string) Campaign {
	c := turnsOf(t, pattern)
	c.Binaries, c.N = append(c.Binaries, buildSubject(t, "back", "./sub", Bench)), append(c.N, 2)
	return c
}

func turnsOf(t *testing.T, pattern string) Campaign {
	return Campaign{
		Binaries: []Binary{buildSubject(t, "good", "./sub", Bench), buildSubject(t, "bad", "./sub", Bench)},
		Workload: Workload{Pattern: pattern, Env: []string{"SUBJECT_LOG"}},
		N:        []int64{2, 2}, Batches: 4, Rand: rand.New(rand.NewPCG(1, 2)),
	}
}

// Each of the benchmark's batches is as long as a turn and leaves a line. The
// first two, a single iteration and the warm-up, come before the turns.
func TestRoundsTakeTurns(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("SUBJECT_LOG", log)
	pair, triple := turnsOf(t, "^BenchmarkTurn$"), triplesOf(t, "^BenchmarkTurn$")
	for _, test := range []struct {
		c       Campaign
		batches int
		order   []int
		want    string
	}{
		{pair, 4, []int{0, 1}, "good good good | bad bad bad | good bad good bad good bad"},
		{pair, 4, []int{1, 0}, "bad bad bad | good good good | bad good bad good bad good"},
		{pair, 2, []int{0, 1}, "good good good good | bad bad bad bad"}, // too few to take turns
		{triple, 3, []int{0, 1, 2}, "good good good | bad bad bad | back back back | good bad back good bad back"},
		{triple, 3, []int{2, 1, 0}, "back back back | bad bad bad | good good good | back bad good back bad good"},
		{triple, 2, []int{1, 2, 0}, "bad bad bad bad | back back back back | good good good good"},
	} {
		os.Remove(log)
		test.c.Batches = test.batches
		round, err := test.c.round(t.Context(), test.order, nil)
		if err != nil {
			t.Fatal(err)
		}
		for side, p := range round.Runs {
			if len(p.Batches) != test.batches || p.Command[0] != test.c.Binaries[side].Path {
				t.Errorf("side %d: %d batches of %s, want %d of its own", side, len(p.Batches), p.Command[0], test.batches)
			}
		}
		if got, want := readLog(t, log), strings.ReplaceAll(test.want, " | ", " "); got != want {
			t.Errorf("%d batches: ran %q, want %q", test.batches, got, want)
		}
	}
}

func readLog(t *testing.T, name string) string {
	lines, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
	}
	return strings.Join(strings.Fields(string(lines)), " ")
}

// When one has run all its batches, the others go on in turns.
func TestTurnsGoOnWithoutOne(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("SUBJECT_LOG", log)
	c := triplesOf(t, "^BenchmarkGoodIsQuick$")
	c.Batches = 8
	for _, test := range []struct {
		order []int
		want  string
	}{
		{[]int{0, 1, 2}, "bad bad bad back back back" + strings.Repeat(" bad back", 7)},
		{[]int{2, 0, 1}, "back back back bad bad bad" + strings.Repeat(" back bad", 7)},
		{[]int{1, 2, 0}, "bad bad bad back back back" + strings.Repeat(" bad back", 7)},
	} {
		os.Remove(log)
		if _, err := c.round(t.Context(), test.order, nil); err != nil {
			t.Fatal(err)
		}
		got := readLog(t, log)
		if n := strings.Count(got, "good"); n != 10 {
			t.Errorf("%d batches of good, want 10", n)
		}
		if got = strings.Join(strings.Fields(strings.ReplaceAll(got, "good", "")), " "); got != test.want {
			t.Errorf("order %v: ran %q, want %q", test.order, got, test.want)
		}
	}
}

// A process that fails in its turn fails the round, and the others don't wait for it.
func TestTurnsEndWithAFailure(t *testing.T) {
	for _, c := range []Campaign{turnsOf(t, "^BenchmarkBadDies$"), triplesOf(t, "^BenchmarkBadDies$")} {
		for _, order := range orders(len(c.Binaries)) {
			_, err := c.round(t.Context(), order, nil)
			var failed *WorkloadError
			if !errors.As(err, &failed) || failed.Label != "bad" || failed.Cause.Error() != "exit status 1" {
				t.Errorf("order %v: error %v, want that of bad", order, err)
			}
		}
	}
}

// orders are those that a side begins, forward.
func orders(sides int) [][]int {
	var all [][]int
	for first := range sides {
		all = append(all, (&Campaign{Binaries: make([]Binary, sides)}).circle(first))
	}
	return all
}

// The one that hangs is blamed, not those that wait for it.
func TestTurnsEndWithAHang(t *testing.T) {
	for _, c := range []Campaign{turnsOf(t, "^BenchmarkBadHangs$"), triplesOf(t, "^BenchmarkBadHangs$")} {
		c.Workload.Timeout = time.Second
		for _, order := range orders(len(c.Binaries)) {
			_, err := c.round(t.Context(), order, nil)
			var failed *WorkloadError
			if !errors.As(err, &failed) || failed.Label != "bad" || !errors.Is(err, ErrHung) {
				t.Errorf("order %v: error %v, want that of bad", order, err)
			}
		}
	}
}

// A process that is no benchmark of ours ends before the others start.
func TestTurnsNeedAStart(t *testing.T) {
	for _, first := range []int{0, 1} {
		c := triplesOf(t, "^BenchmarkN$")
		c.Binaries[first].Path += ".gone"
		_, err := c.round(t.Context(), []int{0, 1, 2}, nil)
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("error %v, want that of side %d", err, first)
		}
	}
}

// Pairs go round the layouts, and one that runs again keeps its own.
func TestPairsGoRoundLayouts(t *testing.T) {
	good, bad := buildSubject(t, "good", "./sub", Bench), buildSubject(t, "bad", "./sub", Bench)
	c := turnsOf(t, "^BenchmarkN$")
	c.Layouts = [][]Binary{{good, bad}, {bad, good}}
	pairs, err := c.Pairs(t.Context(), 3, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pairs {
		want := c.Layouts[i%2]
		if p.Layout != i%2+1 || p.Good.Command[0] != want[0].Path || p.Bad.Command[0] != want[1].Path {
			t.Errorf("pair %d: layout %d, %s against %s", i, p.Layout, p.Good.Command[0], p.Bad.Command[0])
		}
	}
}

// The processes of a duet are there at the same time, and end with each other.
func TestDuet(t *testing.T) {
	t.Setenv("SUBJECT_LOG", filepath.Join(t.TempDir(), "log"))
	c := turnsOf(t, "^BenchmarkMeets$")
	c.Duet = true
	round, err := c.round(t.Context(), []int{0, 1}, nil)
	if err != nil || round.InTurns || len(round.Runs[0].Batches) != 4 {
		t.Errorf("%d batches, in turns %v, %v", len(round.Runs[0].Batches), round.InTurns, err)
	}
	c.Workload.Pattern = "^BenchmarkBadDies$"
	for _, order := range orders(2) {
		_, err := c.round(t.Context(), order, nil)
		var failed *WorkloadError
		if !errors.As(err, &failed) || failed.Label != "bad" {
			t.Errorf("order %v: error %v, want that of bad", order, err)
		}
	}
}
