package harness

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

func init() { roles["affinity"] = affinity }

// affinity says which processors a process may use.
func affinity() int {
	fmt.Println(processors())
	return 0
}

func processors() (cpus []int) {
	var set unix.CPUSet
	unix.SchedGetaffinity(0, &set)
	for n := range set.Count() {
		cpus = append(cpus, nthCPU(&set, n))
	}
	return cpus
}

// A pinned child has one processor, every one in its turn, and we keep ours.
func TestPinned(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ours := processors()
	for pin := range 2*len(ours) + 1 {
		c := impersonator(t, "affinity")
		c.pin = pin
		end, err := c.run(t.Context())
		want := fmt.Sprintln(ours)
		if pin > 0 {
			want = fmt.Sprintln(ours[(pin-1)%len(ours) : (pin-1)%len(ours)+1])
		}
		if err != nil || end.output != want {
			t.Errorf("pin %d: child on %q, want %q, %v", pin, end.output, want, err)
		}
	}
	if got := processors(); fmt.Sprint(got) != fmt.Sprint(ours) {
		t.Errorf("we are on %v, were on %v", got, ours)
	}
}

// Two threads that spin, on one processor, wait for it in turns.
func TestWaited(t *testing.T) {
	if _, err := os.Stat("/proc/self/schedstat"); err != nil {
		t.Skip("the kernel doesn't tell how long threads wait for a processor")
	}
	b := buildSubject(t, "good", "./sub", Bench)
	p, err := Run(t.Context(), b, Workload{Pattern: "^BenchmarkCrowded$", CPUs: 2}, Order{N: 1, Batches: 2, pin: 1})
	if err != nil {
		t.Fatal(err)
	}
	if p.Usage.Waited <= 0 || p.Usage.CPU <= 0 {
		t.Errorf("waited %v in a process of %v", p.Usage.Waited, p.Usage.CPU)
	}
}

func TestPairsShareAProcessor(t *testing.T) {
	c := Campaign{Binaries: make([]Binary, 3), Workload: Workload{CPUs: 1}}
	for n := 1; n <= 3; n++ {
		if pins := c.nextPins(); !slices.Equal(pins, []int{n, n, n}) {
			t.Errorf("pinned to %v, want every processor in its turn", pins)
		}
	}
	for _, cpus := range []int{0, 2} {
		c := Campaign{Binaries: make([]Binary, 2), Workload: Workload{CPUs: cpus}}
		if pins := c.nextPins(); !slices.Equal(pins, []int{0, 0}) {
			t.Errorf("pinned with GOMAXPROCS=%d", cpus)
		}
	}
	if runtime.NumCPU() < 2 {
		t.Skip("no duets on one processor")
	}
	duet := Campaign{Binaries: make([]Binary, 2), Duet: true}
	a := duet.nextPins()
	if b := duet.nextPins(); a[0]+a[1] != 3 || a[0] != b[1] || a[1] != b[0] {
		t.Errorf("a duet on %v, then %v, want it to exchange them", a, b)
	}
	crowd := Campaign{Binaries: make([]Binary, runtime.NumCPU()+1), Duet: true, Batches: minBatches}
	if pins := crowd.nextPins(); crowd.duet() || !crowd.inTurns() || slices.Max(pins) != 0 {
		t.Errorf("%d sides at the same time on %d processors", len(pins), runtime.NumCPU())
	}
}
