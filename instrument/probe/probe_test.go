package probe

import (
	"runtime"
	"sync"
	"testing"
)

// The tests run on private memory, where probes count that have no board. Each
// has IDs of its own.

func calls(id uint32) uint64 { return counted(id).Calls }

// wantCalls also forgets them, so that tests can be repeated.
func wantCalls(t *testing.T, id uint32, want uint64) {
	t.Helper()
	defer func() { *cell(stripes, id) = Cell{} }()
	if got := calls(id); got != want {
		t.Errorf("probe %d counted %d calls, want %d", id, got, want)
	}
}

func TestPairReturnsValue(t *testing.T) {
	var m [1]Mark
	if got := Stop(Begin(&m[0], 1), Restart(&m[0], 3)); got != 3 {
		t.Errorf("Stop = %d, want 3", got)
	}
	if !EndTrue(&m[0], 1) {
		t.Error("EndTrue = false")
	}
	wantCalls(t, 1, 1)
}

// spend makes regions that contain it last longer than those that don't.
func spend() {
	for begin := nanotime(); nanotime()-begin < 100_000; {
	}
}

func TestRestartMovesTheStart(t *testing.T) {
	var m [1]Mark
	operand := func() int { spend(); return 1 }
	Stop(Begin(&m[0], 2), Restart(&m[0], operand()))
	tok := Begin(&m[0], 3)
	Stop(tok, operand())
	if with, without := counted(3).Ticks, counted(2).Ticks; without >= with {
		t.Errorf("region after its operand took %d ticks, with it %d", without, with)
	}
}

func TestManyGoroutinesCountExactly(t *testing.T) {
	const goroutines, each = 20, 20000
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			var m [2]Mark
			for i := range each {
				Stop(Begin(&m[0], 4), i)
				Stop(BeginGroup(&m[1], 5, 4), i)
			}
		})
	}
	wg.Wait()
	wantCalls(t, 4, goroutines*each)
	wantCalls(t, 5, goroutines*each)
}

func TestSwitchedOff(t *testing.T) {
	var m [3]Mark
	chosen[6] = 0
	Stop(Begin(&m[0], 6), 0)
	Stop(BeginGroup(&m[1], 6, 6), 0)
	Enter(&m[2], 6, 0)
	Leave(&m[2], 6)
	wantCalls(t, 6, 0)
	if m != [3]Mark{} {
		t.Errorf("marks %v have changed", m)
	}
}

func fib(n int) int {
	var m [2]Mark
	if n < 2 {
		return n
	}
	return Stop(BeginGroup(&m[0], 10, 10), fib(n-1)) + Stop(BeginGroup(&m[1], 11, 10), fib(n-2))
}

func TestRecursion(t *testing.T) {
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() { fib(15) })
	}
	wg.Wait()
	wantCalls(t, 10, 10)
	wantCalls(t, 11, 10)
}

// deep recurses until the stack has moved several times.
func deep(n int) int {
	var m [1]Mark
	var pad [128]byte
	if n == 0 {
		runtime.GC()
		return int(pad[n])
	}
	return Stop(BeginGroup(&m[0], 12, 12), deep(n-1)) + int(pad[n%128])
}

func TestRecursionWhileTheStackMoves(t *testing.T) {
	done := make(chan bool)
	go func() {
		deep(20000)
		deep(20000)
		close(done)
	}()
	<-done
	wantCalls(t, 12, 2)
}

// even and odd recurse into each other, with probes around their bodies.
func even(n int) bool {
	var m [1]Mark
	Enter(&m[0], 13, 13)
	defer Leave(&m[0], 13)
	return n == 0 || odd(n-1)
}

func odd(n int) bool {
	var m [1]Mark
	Enter(&m[0], 14, 13)
	defer Leave(&m[0], 14)
	return n != 0 && even(n-1)
}

func TestMutualRecursionOfBodies(t *testing.T) {
	even(10)
	odd(9)
	even(2)
	wantCalls(t, 13, 2)
	wantCalls(t, 14, 1)
}

//go:noinline
func operand(x int) int {
	var m [1]Mark
	if x > 0 {
		return Stop(BeginGroup(&m[0], 17, 15), operand(x-1))
	}
	return x
}

// An operand that is a call of the same function is no recursion, and what the
// outer call does after it still is.
func TestOperandOfTheSameGroup(t *testing.T) {
	var m [2]Mark
	Stop(BeginGroup(&m[0], 15, 15), operand(Restart(&m[0], Stop(BeginGroup(&m[1], 16, 15), operand(3))+3)))
	wantCalls(t, 15, 1)
	wantCalls(t, 16, 1)
	wantCalls(t, 17, 0)
}

func fail(n int, how func()) {
	var m [1]Mark
	if n == 0 {
		how()
	}
	BeginGroup(&m[0], 20, 20)
	//lint:ignore SA5007 how never returns
	fail(n-1, how)
	End(&m[0], 20)
}

func recovering(n int) {
	defer func() { recover() }()
	fail(n, func() { panic("left early") })
}

//go:noinline
func deeper(n int, f func()) {
	var pad [64]byte
	if n > 0 {
		deeper(n-1, f)
		pad[n%64]++
		return
	}
	f()
}

// body calls what a left region called, one frame for all, without a region of
// its own around it.
func body(probed bool) {
	defer func() { recover() }()
	var m [2]Mark
	if probed {
		BeginGroup(&m[0], 21, 21)
		panic("left early")
	}
	deeper(3, func() {
		var m [1]Mark
		Stop(BeginGroup(&m[0], 22, 21), 0)
	})
	End(&m[0], 21)
}

func TestRegionsLeftByPanicDontCount(t *testing.T) {
	for i := range 20 {
		recovering(20 - i)
	}
	wantCalls(t, 20, 0)
	var m [1]Mark
	for i := range 20 {
		recovering(3)
		deeper(i, func() {
			var m [1]Mark
			Stop(BeginGroup(&m[0], 23, 20), 0)
		})
		Stop(BeginGroup(&m[0], 24, 20), 0)
	}
	wantCalls(t, 23, 20)
	wantCalls(t, 24, 20)
}

// The frame that left a region is followed by one of the same function in the
// same place, which has not begun the region again.
func TestSameFrameAfterPanic(t *testing.T) {
	for range 10 {
		body(true)
		body(false)
	}
	wantCalls(t, 21, 0)
	wantCalls(t, 22, 10)
}

func TestRegionsLeftByGoexitDontCount(t *testing.T) {
	for range 100 {
		var wg sync.WaitGroup
		wg.Go(func() { fail(3, runtime.Goexit) })
		wg.Wait()
		wg.Go(func() {
			deeper(10, func() {
				var m [1]Mark
				Stop(BeginGroup(&m[0], 25, 20), 0)
			})
		})
		wg.Wait()
	}
	wantCalls(t, 20, 0)
	wantCalls(t, 25, 100)
}

func TestBodyLeftByPanicCounts(t *testing.T) {
	for range 3 {
		func() {
			defer func() { recover() }()
			var m [1]Mark
			Enter(&m[0], 26, 26)
			defer Leave(&m[0], 26)
			panic("left early")
		}()
	}
	wantCalls(t, 26, 3)
}

func deferred(n int) {
	var m [1]Mark
	if n == 0 {
		return
	}
	defer End(&m[0], 27)
	defer deferred(n - 1)
	defer BeginGroup(&m[0], 27, 27)
}

func TestDeferredRecursion(t *testing.T) {
	deferred(5)
	deferred(5)
	wantCalls(t, 27, 2)
}

// A call in a body that is probed too is within its activation.
func TestCallWithinBodyOfTheSameGroup(t *testing.T) {
	var m [2]Mark
	Enter(&m[0], 32, 32)
	Stop(BeginGroup(&m[1], 33, 32), 0)
	Leave(&m[0], 32)
	wantCalls(t, 32, 1)
	wantCalls(t, 33, 0)
}

func TestGroupsAreApart(t *testing.T) {
	var m [2]Mark
	BeginGroup(&m[0], 34, 34)
	deeper(2, func() {
		var m [1]Mark
		Stop(BeginGroup(&m[0], 35, 35), 0)
		Stop(BeginGroup(&m[0], 34, 34), 0)
	})
	End(&m[0], 34)
	wantCalls(t, 34, 1)
	wantCalls(t, 35, 1)
}

func TestGoroutinesAreApart(t *testing.T) {
	var m [1]Mark
	BeginGroup(&m[0], 29, 29)
	var wg sync.WaitGroup
	wg.Go(func() {
		var m [1]Mark
		Stop(BeginGroup(&m[0], 29, 29), 0)
	})
	wg.Wait()
	End(&m[0], 29)
	wantCalls(t, 29, 2)
}

func TestEntriesAreFreed(t *testing.T) {
	var m [1]Mark
	BeginGroup(&m[0], 36, 36)
	e := &table[m[0].state>>slotShift-1]
	if e.key == 0 {
		t.Error("a mark that runs has no entry")
	}
	End(&m[0], 36)
	if e.key != 0 {
		t.Error("a mark that ended has an entry")
	}
}

// A region was left early, and its mark happens to be intact in memory that
// nothing has written to since. Its frame isn't there.
func TestIntactMarkOfAFrameThatIsGone(t *testing.T) {
	var m [1]Mark
	BeginGroup(&m[0], 37, 37)
	table[m[0].state>>slotShift-1].frame -= 8
	deeper(2, func() {
		var m [1]Mark
		Stop(BeginGroup(&m[0], 38, 37), 0)
	})
	wantCalls(t, 38, 1)
}

// The same, and the stack has shrunk.
func TestMarkBelowTheStack(t *testing.T) {
	var m [2]Mark
	BeginGroup(&m[0], 39, 39)
	table[m[0].state>>slotShift-1].mark = 1 << 30
	Stop(BeginGroup(&m[1], 39, 39), 0)
	wantCalls(t, 39, 1)
}

// With every place of an entry taken, activations count rather than vanish.
func TestFullTable(t *testing.T) {
	for i := range table {
		if table[i].key == 0 {
			table[i].key = 1
			defer func() { table[i].key = 0 }()
		}
	}
	var m [2]Mark
	for range 3 {
		Stop(BeginGroup(&m[0], 28, 28), 0)
	}
	wantCalls(t, 28, 3)
}

func TestPairsDontAllocate(t *testing.T) {
	n := testing.AllocsPerRun(100, func() {
		var m [4]Mark
		x := Stop(Begin(&m[0], 30), Restart(&m[0], 1))
		x += Stop(BeginGroup(&m[1], 30, 30), x)
		Begin(&m[2], 30)
		End(&m[2], 30)
		Enter(&m[3], 30, 31)
		defer Leave(&m[3], 30)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The CPU time of a process never goes back.
func TestCPUTime(t *testing.T) {
	before := cpuTime()
	for range 1000 {
		now := cpuTime()
		if now < before {
			t.Fatalf("from %d back to %d", before, now)
		}
		before = now
	}
	if before == 0 && runtime.GOOS == "linux" {
		t.Error("no CPU time at all")
	}
}

// shared is called on the path and off it.
//
//go:noinline
func shared(n int) int {
	var m [2]Mark
	if n == 0 {
		return Stop(BeginWithin(&m[0], 40, 0, 41), 1)
	}
	return Stop(BeginWithin(&m[1], 42, 42, 41), shared(n-1))
}

func TestOnlyOnThePath(t *testing.T) {
	var m [1]Mark
	shared(3)
	Stop(BeginGroup(&m[0], 41, 41), shared(3))
	shared(3)
	deeper(3, func() { shared(0) })
	BeginGroup(&m[0], 41, 41)
	deeper(50, func() { shared(2) }) // beyond the frames that are walked
	End(&m[0], 41)
	wantCalls(t, 40, 2)
	wantCalls(t, 42, 2)
	wantCalls(t, 41, 2)
}

// A path of two steps: the second is taken from elsewhere too.
func TestPathOfTwoSteps(t *testing.T) {
	second := func() int {
		var m [1]Mark
		return Stop(BeginWithin(&m[0], 44, 44, 43), func() int {
			var m [1]Mark
			return Stop(BeginWithin(&m[0], 45, 0, 44), 1)
		}())
	}
	var m [1]Mark
	second()
	Stop(BeginGroup(&m[0], 43, 43), Restart(&m[0], 1)+second())
	second()
	wantCalls(t, 43, 1)
	wantCalls(t, 44, 1)
	wantCalls(t, 45, 1)
}

func TestBodyOnThePath(t *testing.T) {
	body := func() {
		var m [1]Mark
		EnterWithin(&m[0], 46, 0, 47)
		defer Leave(&m[0], 46)
	}
	var m [1]Mark
	body()
	BeginGroup(&m[0], 47, 47)
	body()
	End(&m[0], 47)
	wantCalls(t, 46, 1)
	wantCalls(t, 47, 1)
}

// A path that a panic left is not there any more, nor is it on other goroutines.
func TestPathLeftEarly(t *testing.T) {
	for range 10 {
		recovering(3) // of group 20
		deeper(3, func() {
			var m [1]Mark
			Stop(BeginWithin(&m[0], 48, 0, 20), 0)
		})
	}
	var m [1]Mark
	BeginGroup(&m[0], 49, 49)
	var wg sync.WaitGroup
	wg.Go(func() {
		var m [1]Mark
		Stop(BeginWithin(&m[0], 48, 0, 49), 0)
	})
	wg.Wait()
	End(&m[0], 49)
	wantCalls(t, 48, 0)
	wantCalls(t, 49, 1)
}
