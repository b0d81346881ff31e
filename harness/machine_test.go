package harness

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/flock"
)

// two are machines of two processes with one hall.
func two(t *testing.T) (a, b *machine) {
	h := hall{dir: t.TempDir()}
	return newMachine(h), newMachine(h)
}

// free reports whether a file of the hall could be locked so at once.
func free(t *testing.T, h hall, file string, how int) bool {
	t.Helper()
	f, err := openLock(filepath.Join(h.dir, file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	err = flock.Lock(f, how|syscall.LOCK_NB)
	if err != nil && err != syscall.EWOULDBLOCK {
		t.Fatal(err)
	}
	return err == nil
}

// Both sides build at the same time, and so do two pinpoints: each waits for
// the others to have begun.
func TestBuildsRunTogether(t *testing.T) {
	m, other := two(t)
	var begun, all sync.WaitGroup
	begun.Add(3)
	for _, m := range []*machine{m, m, other} {
		all.Go(func() {
			m.whileBuilding(t.Context(), func() error { begun.Done(); begun.Wait(); return nil })
		})
	}
	all.Wait()
	if !free(t, m.hall, hallFile, syscall.LOCK_EX) {
		t.Error("the last of the builds left the hall closed")
	}
}

func TestNothingBesideMeasuring(t *testing.T) {
	m, other := two(t)
	m.whileQuiet(t.Context(), func() error {
		if m.turns.TryAcquire(1) {
			t.Error("a build may run beside a measured process")
		}
		if free(t, other.hall, hallFile, syscall.LOCK_SH) {
			t.Error("another pinpoint may build beside a measured process")
		}
		return nil
	})
	m.whileBuilding(t.Context(), func() error {
		if m.turns.TryAcquire(everything) {
			t.Error("a process may be measured beside a build")
		}
		if free(t, other.hall, hallFile, syscall.LOCK_EX) {
			t.Error("another pinpoint may measure beside a build")
		}
		return nil
	})
	if !free(t, m.hall, hallFile, syscall.LOCK_EX) {
		t.Error("the hall is still closed")
	}
}

// No two of several pinpoints are ever in the hall, and each has its turns.
func TestPinpointsTakeTurns(t *testing.T) {
	a, b := two(t)
	var inside, turns atomic.Int64 // the race detector knows nothing of flock
	var all sync.WaitGroup
	for _, m := range []*machine{a, b, newMachine(a.hall)} {
		all.Go(func() {
			for range 100 {
				err := m.whileQuiet(t.Context(), func() error {
					if inside.Add(1) != 1 {
						t.Error("two are in there")
					}
					runtime.Gosched()
					inside.Add(-1)
					turns.Add(1)
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if turns.Load() != 300 {
		t.Errorf("%d turns, want 300", turns.Load())
	}
}

// Who waits comes before who leaves and wants in again.
func TestWaitingIsFair(t *testing.T) {
	a, b := two(t)
	turns := make(chan string, 2)
	var all sync.WaitGroup
	a.whileQuiet(t.Context(), func() error {
		all.Go(func() { b.whileQuiet(t.Context(), func() error { turns <- "b"; return nil }) })
		for free(t, a.hall, gateFile, syscall.LOCK_EX) {
			runtime.Gosched() // until b is in the gate
		}
		return nil
	})
	a.whileQuiet(t.Context(), func() error { turns <- "a"; return nil })
	all.Wait()
	if first := <-turns; first != "b" {
		t.Errorf("%s was first, b had waited", first)
	}
}

// A wait that was given up takes nothing with it: not now, and not when its
// turn would have come.
func TestWaitingObeysTheContext(t *testing.T) {
	a, b := two(t)
	a.whileQuiet(t.Context(), func() error {
		ctx, cancel := context.WithCancel(t.Context())
		cancelled := make(chan error)
		go func() {
			cancelled <- b.whileQuiet(ctx, func() error { t.Error("measured"); return nil })
		}()
		for free(t, a.hall, gateFile, syscall.LOCK_EX) {
			runtime.Gosched() // until b is in the gate
		}
		cancel()
		if err := <-cancelled; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		return nil
	})
	ran := false
	if err := a.whileQuiet(t.Context(), func() error { ran = true; return nil }); err != nil || !ran {
		t.Errorf("ran %v, %v", ran, err)
	}
}

// A pinpoint that is killed while it measures is in nobody's way.
func TestHolderDies(t *testing.T) {
	m, _ := two(t)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command(os.Args[0], m.hall.dir)
	cmd.Env = []string{roleVar + "=holder"}
	cmd.ExtraFiles = []*os.File{in}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal("the holder did not get in: ", err)
	}
	if free(t, m.hall, hallFile, syscall.LOCK_SH) {
		t.Error("the hall is not closed while another process measures")
	}
	cmd.Process.Kill()
	cmd.Wait()
	ran := false
	if err := m.whileQuiet(t.Context(), func() error { ran = true; return nil }); err != nil || !ran {
		t.Errorf("ran %v, %v", ran, err)
	}
}

// holder measures in the hall of its argument, for ever.
func holder() int {
	newMachine(hall{dir: os.Args[1]}).whileQuiet(context.Background(), func() error {
		ready()
		hang()
		return nil
	})
	return 1
}

// A second user may only read the files; cleaning up removes them.
func TestLockFiles(t *testing.T) {
	h := hall{dir: t.TempDir()}
	name := filepath.Join(h.dir, hallFile)
	leave, err := h.enter(t.Context(), time.Hour, syscall.LOCK_EX)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(name); err != nil || st.Mode().Perm() != 0o444 {
		t.Errorf("%v, %v: want a file that all may read", st, err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	leave()
	leave, err = h.enter(t.Context(), time.Hour, syscall.LOCK_EX)
	if err != nil || free(t, h, hallFile, syscall.LOCK_SH) {
		t.Errorf("the file was removed: %v, or what was locked is not what is there", err)
	}
	leave()
	os.Remove(name)
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := h.enter(t.Context(), time.Hour, syscall.LOCK_EX); err == nil {
		t.Error("a pipe was taken for the lock")
	}
	if left, _ := filepath.Glob(name + "-*"); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// Without a hall there is nobody to wait for, which is no reason not to measure.
func TestNoHall(t *testing.T) {
	m := newMachine(hall{dir: filepath.Join(t.TempDir(), "gone")})
	ran := 0
	count := func() error { ran++; return nil }
	if err := errors.Join(m.whileQuiet(t.Context(), count), m.whileBuilding(t.Context(), count)); err != nil || ran != 2 {
		t.Errorf("ran %d, %v", ran, err)
	}
}

// The lock of a removed file is worth nothing: whoever waited for it goes on
// with the file that has its name now.
func TestLockOfARemovedFile(t *testing.T) {
	h := hall{dir: t.TempDir()}
	name := filepath.Join(h.dir, hallFile)
	old, err := lockFile(name, syscall.LOCK_EX)
	if err != nil {
		t.Fatal(err)
	}
	waiting, got := make(chan struct{}), make(chan *os.File)
	go func() {
		close(waiting)
		f, err := lockFile(name, syscall.LOCK_EX)
		if err != nil {
			t.Error(err)
		}
		got <- f
	}()
	<-waiting
	os.Remove(name)
	old.Close()
	f := <-got
	defer f.Close()
	if free(t, h, hallFile, syscall.LOCK_SH) {
		t.Error("what is locked is not what has the name")
	}
}

// TestWaitingIsBounded: who holds the locks for ever keeps nobody from measuring.
func TestWaitingIsBounded(t *testing.T) {
	ours, others := two(t)
	hold, held := make(chan bool), make(chan bool)
	go others.whileQuiet(t.Context(), func() error { close(held); <-hold; return nil })
	<-held
	defer close(hold)
	ctx := Patience(t.Context(), 20*time.Millisecond)
	for range 3 {
		ran := false
		if err := ours.whileQuiet(ctx, func() error { ran = true; return nil }); err != nil || !ran {
			t.Errorf("ran: %v, %v", ran, err)
		}
	}
	if !ours.waited.over || ours.waited.total < 20*time.Millisecond {
		t.Errorf("it is said to have waited %v, over: %v", ours.waited.total, ours.waited.over)
	}
	if others.waited.over {
		t.Error("who holds the lock is said to have waited")
	}
}
