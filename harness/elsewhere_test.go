package harness

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// What runs elsewhere is what would run here: sides begin equally often, layouts take
// turns, and rounds come back in their order.
func TestElsewhere(t *testing.T) {
	var mu sync.Mutex
	begun := make([]int, 2)
	run := func(_ context.Context, task Task) (Done, error) {
		mu.Lock()
		defer mu.Unlock()
		begun[task.Order[0]]++
		return Done{Round: Round{Runs: make([]Process, 2), Order: task.Order, Layout: task.Layout}}, nil
	}
	ctx := OnFleet(t.Context(), pretended(run, 3))
	bins := []Binary{{Label: "good"}, {Label: "bad"}}
	c := &Campaign{Binaries: bins, Layouts: [][]Binary{bins, bins, bins}, N: []int64{1, 1}, Rand: rand.New(rand.NewPCG(1, 2))}
	told := 0
	for range 2 {
		rounds, err := c.Rounds(ctx, 6, nil, func(int) { told++ })
		if err != nil {
			t.Fatal(err)
		}
		var layouts []int
		for _, r := range rounds {
			layouts = append(layouts, r.Layout)
		}
		if !slices.Equal(layouts, []int{1, 2, 3, 1, 2, 3}) {
			t.Errorf("layouts are %v", layouts)
		}
	}
	if told != 12 || begun[0] != 6 || begun[1] != 6 || Places(ctx) != 3 {
		t.Errorf("%d were told of, begun by sides: %v", told, begun)
	}
}

// A failure of the workload's is told apart from one of the fleet's.
func TestElsewhereFails(t *testing.T) {
	for _, test := range []struct {
		err   error
		fleet bool
	}{{&WorkloadError{Cause: ErrHung}, false}, {errors.New("no worker"), true}} {
		run := func(_ context.Context, task Task) (Done, error) {
			if task.Number == 3 {
				return Done{}, test.err
			}
			return Done{Round: Round{Runs: make([]Process, 2)}}, nil
		}
		ctx := OnFleet(t.Context(), pretended(run, 3))
		c := &Campaign{Binaries: make([]Binary, 2), Rand: rand.New(rand.NewPCG(1, 2))}
		_, err := c.Rounds(ctx, 6, nil, nil)
		if !errors.Is(err, test.err) || errors.Is(err, ErrElsewhere) != test.fleet {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestCarried(t *testing.T) {
	w := Workload{Env: []string{"A", "B"}, Set: []string{"A=2"}}
	got := w.Carried(func(name string) (string, bool) { return "1", name == "A" })
	if len(got.Env) != 0 || !slices.Equal(got.Set, []string{"A=1", "A=2"}) {
		t.Errorf("carried are %q, %q", got.Env, got.Set)
	}
}

// A run that was killed takes from its journal what others have measured for it.
func TestElsewhereResumes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("a program"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{4, 2} {
		var asked atomic.Int64
		run := func(_ context.Context, task Task) (Done, error) {
			asked.Add(1)
			return Done{Round: Round{Runs: make([]Process, 2), Order: task.Order}}, nil
		}
		j, err := OpenJournal(name, 1, i > 0)
		if err != nil {
			t.Fatal(err)
		}
		ctx := OnFleet(Journaled(t.Context(), j), pretended(run, 1))
		b := Binary{Path: program}
		c := &Campaign{Binaries: []Binary{b, b}, N: []int64{1, 1}, Rand: rand.New(rand.NewPCG(1, 2))}
		rounds, err := c.Rounds(ctx, 4+2*i, nil, nil)
		if err != nil || len(rounds) != 4+2*i || asked.Load() != want {
			t.Errorf("run %d: of %d rounds %d were asked for, %v", i, len(rounds), asked.Load(), err)
		}
		j.Close(false)
	}
}

func pretended(run func(context.Context, Task) (Done, error), workers int) Elsewhere {
	return Elsewhere{Run: run, Machines: func() []Machines { return []Machines{{Class: "a", Count: workers}} }}
}

// Each kind of machines gets its share of the rounds, and each side begins as many on each.
func TestDealt(t *testing.T) {
	begun := make(map[string][]int)
	var mu sync.Mutex
	ctx := OnFleet(t.Context(), pretended(func(_ context.Context, task Task) (Done, error) {
		mu.Lock()
		defer mu.Unlock()
		if begun[task.Machine] == nil {
			begun[task.Machine] = make([]int, 2)
		}
		begun[task.Machine][task.Order[0]]++
		if !task.Anywhere {
			t.Error("a round of several kinds can't be moved")
		}
		return Done{Round: Round{Runs: make([]Process, 2)}}, nil
	}, 3))
	c := &Campaign{Binaries: make([]Binary, 2), Rand: rand.New(rand.NewPCG(1, 2)), Machines: []string{"a", "a", "b"}}
	if _, err := c.Rounds(ctx, 12, nil, nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(begun["a"], []int{4, 4}) || !slices.Equal(begun["b"], []int{2, 2}) {
		t.Errorf("begun are %v", begun)
	}
}

// What is run is found out on a machine of the fleet, too; where the fleet fails, here.
func TestElsewhereCalibrates(t *testing.T) {
	for _, test := range []struct {
		plan Plan
		err  error
		here bool
	}{
		{Plan{GoodN: 7, BadN: 7, Batches: 3}, nil, false},
		{Plan{}, &WorkloadError{Cause: ErrHung}, false},
		{Plan{}, errors.New("no worker"), true},
	} {
		ctx := OnFleet(t.Context(), pretended(func(_ context.Context, task Task) (Done, error) {
			if !task.Calibrate {
				t.Error("a round runs")
			}
			return Done{Plan: test.plan}, test.err
		}, 1))
		b := Binary{Path: filepath.Join(t.TempDir(), "nothing")}
		plan, err := Calibrate(ctx, b, b, Workload{Kind: Bench, Pattern: "X"})
		if here := err != nil && strings.Contains(err.Error(), b.Path); plan != test.plan || here != test.here {
			t.Errorf("%+v, %v", plan, err)
		}
	}
	check := Task{Calibrate: true}.Check
	if check(Done{Plan: Plan{GoodN: 1, BadN: 1, Batches: 1}}) != nil || check(Done{}) == nil || check(Done{Plan: Plan{GoodN: 1, BadN: 1, Batches: 1e6}}) == nil {
		t.Error("plans are not checked")
	}
}
