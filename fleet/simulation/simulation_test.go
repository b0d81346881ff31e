package simulation

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// suite is one of 300 benchmarks.
var suite = Scene{Benchmarks: 300, Pair: 0.5, Message: 0.001, Store: 0.002, Seed: 1}

func troubled(s Scene) Scene {
	s.Lost, s.Straggle, s.Parted, s.Restart = 0.02, 0.02, 0.1, 10
	return s
}

func run(t *testing.T, s Scene) Outcome {
	t.Helper()
	out, err := Run(s)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	if out.Done != out.Rounds {
		t.Errorf("%+v: %d of %d rounds are done", s, out.Done, out.Rounds)
	}
	return out
}

func TestEfficiency(t *testing.T) {
	t.Parallel()
	for workers, want := range map[int]float64{4: 0.9, 100: 0.8} {
		for _, s := range []Scene{suite, troubled(suite)} {
			s.Workers = workers
			if out := run(t, s); out.Efficiency < want {
				t.Errorf("%d workers do %.2f of what they could, want %.2f", workers, out.Efficiency, want)
			}
		}
	}
}

// Whatever goes wrong, each round counts once.
func TestTroubled(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		s := troubled(suite)
		s.Workers, s.Benchmarks, s.Seed, s.Lost, s.Middle = 7, 20, seed, 0.6, true
		run(t, s)
	}
}

// The tables of docs/fleet.md are these.
func TestTable(t *testing.T) {
	if os.Getenv("PINPOINT_THOROUGH") == "" {
		t.Skip("some minutes: PINPOINT_THOROUGH=1")
	}
	t.Parallel()
	doc, err := os.ReadFile("../../docs/fleet.md")
	if err != nil {
		t.Fatal(err)
	}
	var table, causes strings.Builder
	for _, workers := range []int{1, 4, 20, 100, 300, 1000} {
		well := suite
		well.Workers = workers
		middle := troubled(well)
		middle.Middle = true
		long := middle
		long.Pair = 2
		prepared := well
		prepared.Prepare = 0.5
		outs := []Outcome{run(t, well), run(t, troubled(well)), run(t, middle), run(t, long), run(t, prepared)}
		fmt.Fprintf(&table, "| %d |", workers)
		for _, out := range outs {
			fmt.Fprintf(&table, " %.2f (%.0f s) |", out.Efficiency, out.Seconds)
		}
		table.WriteString("\n")
		if mid := outs[2]; workers <= 100 {
			i := mid.Idle
			fmt.Fprintf(&causes, "| %d |", workers)
			for _, share := range []float64{i.Away, i.Parted + i.Gone, i.Straggled, i.Twice, i.Told, i.Nothing} {
				fmt.Fprintf(&causes, " %.3f |", share)
			}
			fmt.Fprintf(&causes, " %.2f |\n", mid.Efficiency/(1-i.Away-i.Parted-i.Gone))
		}
	}
	for _, table := range []string{table.String(), causes.String()} {
		if !strings.Contains(string(doc), table) {
			t.Errorf("docs/fleet.md has another table than\n%s", table)
		}
	}
}
