package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/flock"
)

// A hall is where the pinpoints of one machine take turns: those that build
// share it, one that measures has it alone.
//
// It is two empty files. Whoever wants to come in locks the gate first, waits in
// it for its turn in the hall, and opens the gate again when it is in. So nobody
// overtakes one who waits: builds that follow each other can't keep a measurement
// out, and one who leaves and comes again finds those at the gate before it.
//
// The locks are flock's. The kernel gives them up with the process, however that
// ends, they need no more than read permission, and the processes that are
// measured don't inherit them. Other containers have other files: they aren't seen.
type hall struct{ dir string }

// hostHall lies where the processes of all users find it. TMPDIR differs between them.
var hostHall = hall{dir: cmp.Or(os.Getenv(LockDir), "/tmp")}

// LockDir is the environment variable that names another directory for the lock
// by which pinpoints take turns: one that containers of a machine share, or one
// of its own for those that must not wait.
const LockDir = "PINPOINT_LOCK_DIR"

const (
	gateFile = "pinpoint.gate"
	hallFile = "pinpoint.lock"
)

// patience is how long a wait for other pinpoints goes by in silence. Pairs
// that alternate are not worth a word.
const patience = 2 * time.Second

// enter waits for a turn, alone or with others that share, and gives what ends
// it. The error is that of ctx, or says why there is no hall, or that it took longer
// than most.
func (h hall) enter(ctx context.Context, most time.Duration, how int) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	type turn struct {
		file *os.File
		err  error
	}
	turns := make(chan turn, 1)
	go func() {
		f, err := h.await(how)
		turns <- turn{f, err}
	}()
	long := time.NewTimer(patience)
	defer long.Stop()
	last := time.NewTimer(most)
	defer last.Stop()
	refuse := func() {
		if t := <-turns; t.err == nil {
			t.file.Close()
		}
	}
	for {
		select {
		case t := <-turns:
			if t.err != nil {
				return nil, t.err
			}
			return func() { t.file.Close() }, nil
		case <-long.C:
			sayWaiting(ctx)
		case <-last.C:
			go refuse()
			return nil, errImpatient
		case <-ctx.Done():
			// A wait for flock can't be called off, but its outcome can be refused.
			go refuse()
			return nil, ctx.Err()
		}
	}
}

// await passes the gate and locks the hall.
func (h hall) await(how int) (*os.File, error) {
	gate, err := lockFile(filepath.Join(h.dir, gateFile), flock.Alone)
	if err != nil {
		return nil, err
	}
	defer gate.Close()
	return lockFile(filepath.Join(h.dir, hallFile), how)
}

// lockFile opens the file and waits for its lock. Whoever cleans up temporary
// files may have removed it meanwhile; then the lock is worth nothing, for the
// next one makes a new file.
func lockFile(name string, how int) (*os.File, error) {
	for {
		f, err := openLock(name)
		if err != nil {
			return nil, err
		}
		if err := flock.Lock(f, how); err != nil {
			f.Close()
			return nil, &fs.PathError{Op: "locking", Path: name, Err: err}
		}
		there, err := stillThere(f)
		if there {
			return f, nil
		}
		f.Close()
		if err != nil {
			return nil, err
		}
	}
}

// stillThere reports whether an open file is what its name stands for.
func stillThere(f *os.File) (bool, error) {
	held, err := f.Stat()
	if err != nil {
		return false, err
	}
	named, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(held, named), nil
}

// openLock opens a lock file, and makes it if it isn't there. Nothing is ever
// written to it. Links and pipes that someone may have put there are not opened.
func openLock(name string) (*os.File, error) {
	const flags = os.O_RDONLY | flock.NoFollow | syscall.O_NONBLOCK
	f, err := os.OpenFile(name, flags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeLock(name); err != nil {
			return nil, err
		}
		f, err = os.OpenFile(name, flags, 0)
	}
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		f.Close()
		return nil, errors.Join(err, fmt.Errorf("%s is not a regular file", name))
	}
	return f, nil
}

// makeLock makes the file with all its permissions or not at all: under a umask
// another user would find it closed for a moment.
func makeLock(name string) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+"-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := f.Chmod(0o444); err != nil {
		return err
	}
	if err := os.Link(f.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// HostLock says why pinpoints on this machine can't see each other, nil when
// they can. They then measure all the same, each as if it were the only one.
func HostLock() error {
	for _, name := range []string{gateFile, hallFile} {
		f, err := openLock(filepath.Join(hostHall.dir, name))
		if err != nil {
			return fmt.Errorf("opening the lock of this machine: %w", err)
		}
		f.Close()
	}
	return nil
}

// errImpatient says that others held the locks for longer than we wait.
var errImpatient = errors.New("others measure for too long")

// A waiting is how long was waited for other pinpoints. Any user of the machine can hold
// the locks, and for ever: when as much was waited as there is time for, no lock is
// taken any more.
type waiting struct {
	mu    sync.Mutex
	total time.Duration
	over  bool
}

// longestWait is how long is waited in all where nobody says how long.
const longestWait = 30 * time.Minute

func (w *waiting) left(ctx context.Context) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	most, ok := ctx.Value(patienceKey{}).(time.Duration)
	if !ok {
		most = longestWait
	}
	w.over = w.over || w.total >= most
	return most - w.total
}

func (w *waiting) add(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.total += d
}

type patienceKey struct{}

// Patience bounds how long anything that is run or built with the context waits for
// other pinpoints on this machine, all in all. Then it measures beside them.
func Patience(ctx context.Context, most time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, most)
}

type waitingKey struct{}

// OnWait has f called when something that is run or built with the context has
// waited for another pinpoint on this machine for two seconds. It may be called
// from several goroutines.
func OnWait(ctx context.Context, f func()) context.Context {
	return context.WithValue(ctx, waitingKey{}, f)
}

func sayWaiting(ctx context.Context) {
	if f, ok := ctx.Value(waitingKey{}).(func()); ok {
		f()
	}
}
