package harness

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// faults are counted by the kernel on any machine: page faults, and the nanoseconds that
// threads ran, in the place of instructions and cycles.
var faults = [2]event{
	{unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_PAGE_FAULTS},
	{unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_TASK_CLOCK},
}

func needFaults(t *testing.T) {
	t.Helper()
	c, err := openCounters(faults)
	if err != nil {
		t.Skip("no counters of the kernel's own:", err)
	}
	c.close()
}

// What the batches do on threads that did not exist when the process began is counted, and
// what it does before the batches is not.
func TestExecutedIsOfTheBatches(t *testing.T) {
	needFaults(t)
	b := buildSubject(t, "good", "./sub", Bench)
	p, err := Run(t.Context(), b, Workload{Pattern: "^BenchmarkFaults$"}, Order{N: 5, Batches: 6, count: &faults})
	if err != nil {
		t.Fatal(err)
	}
	// Beside the 256 pages, a new thread has a stack and the runtime some memory.
	if got := p.Executed.Instructions; got < 256 || got > 2*256 || p.Executed.Cycles <= 0 {
		t.Errorf("counted %+v, want 256 faults an operation", p.Executed)
	}
}

// Processes in turns count each its own, whatever descriptors their turns take.
func TestExecutedInTurns(t *testing.T) {
	needFaults(t)
	c := triplesOf(t, "^BenchmarkFaults$")
	seats := make([]Process, 3)
	r, err := newRelay(3)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	var launches []launch
	for i, b := range c.Binaries {
		launches = append(launches, launcher(&seats[i], b, c.Workload, Order{N: 5, Batches: 6, count: &faults}))
	}
	if err := together(t.Context(), launches, r); err != nil {
		t.Fatal(err)
	}
	for i, p := range seats {
		if got := p.Executed.Instructions; got < 256 || got > 2*256 {
			t.Errorf("side %d: counted %+v, want 256 faults an operation", i, p.Executed)
		}
	}
}

// Of what has no batches, all from the start is counted.
func TestExecutedInAll(t *testing.T) {
	needFaults(t)
	b := buildSubject(t, "good", "./sub", Test)
	p, err := Run(t.Context(), b, Workload{Kind: Test, Pattern: "^TestFine$"}, Order{count: &faults})
	if err != nil || !p.Executed.Counted() {
		t.Errorf("counted %+v, %v", p.Executed, err)
	}
}

// Instructions and cycles are there where NoCounters is nil, and where it isn't nothing
// else changes.
func TestExecutedWhereThereAreCounters(t *testing.T) {
	c := turnsOf(t, "^BenchmarkN$")
	c.Rand = rand.New(rand.NewPCG(1, 2))
	pairs, err := c.Pairs(t.Context(), 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	why := NoCounters()
	for _, p := range []Process{pairs[0].Good, pairs[0].Bad} {
		if p.Executed.Counted() != (why == nil) || len(p.Batches) != 4 {
			t.Errorf("counted %+v in %d batches, NoCounters says %v", p.Executed, len(p.Batches), why)
		}
	}
	if why != nil && !strings.HasPrefix(why.Error(), "the processor's counters ") {
		t.Errorf("why: %v", why)
	}
}

func TestCountersOfNothing(t *testing.T) {
	none := [2]event{faults[0], {kind: 0xffff}}
	c, err := openCounters(none)
	if len(c) != 0 || !errors.Is(err, unix.ENOENT) {
		t.Errorf("%d counters of an event that there is not, %v", len(c), err)
	}
	c.close()
}
