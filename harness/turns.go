package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// turn is how long one process of a pair runs batches before the other does.
//
// What disturbs a virtual machine most are its neighbours, who come and go in
// tenths of a second and can't be seen from within: a process that ran just after
// another may have met another machine. The shorter the turns, the more alike is
// what both meet; and each begins with caches that the other has filled.
//
// Tried with one binary against itself: the logarithm of the ratio of a pair's
// samples varied by 0.16 for sorting and 0.18 for decoding JSON when the processes
// ran one after the other, by 0.06 and 0.10 in turns of 30 ms, by 0.03 and 0.08
// in turns of 10 ms, and by 0.014 and 0.021 in turns of 3 ms. On another such
// machine in turns of 3 ms with batches of 1 ms and in turns of 0.3 ms with batches
// of 0.3 ms, both of the same length in all: parsing HTML by 0.044 and 0.009,
// routing requests by 0.050 and 0.007, rendering Markdown by 0.037 and 0.018, and
// evaluating expressions by 0.021 and 0.007. What differs differed by as much.
const turn = 300 * time.Microsecond

// A relay is what the two processes of a pair pass the turn with: a pipe in
// each direction. Only one of them runs batches at a time. When one ends, however
// it does, the other goes on alone.
type relay struct {
	first, second seat
}

// A seat is one process's place in a relay.
type seat struct{ in, out *os.File }

func newRelay() (*relay, error) {
	toFirst, fromSecond, err := pipe()
	if err != nil {
		return nil, err
	}
	toSecond, fromFirst, err := pipe()
	if err != nil {
		toFirst.Close()
		fromSecond.Close()
		return nil, err
	}
	return &relay{
		first:  seat{in: toFirst, out: fromFirst},
		second: seat{in: toSecond, out: fromSecond},
	}, nil
}

// pipe makes one whose ends block, in the children that inherit them too. Those
// of os.Pipe don't.
func pipe() (out, in *os.File, err error) {
	var fds [2]int
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := syscall.Pipe(fds[:]); err != nil {
		return nil, nil, os.NewSyscallError("pipe", err)
	}
	syscall.CloseOnExec(fds[0])
	syscall.CloseOnExec(fds[1])
	return os.NewFile(uintptr(fds[0]), "turn"), os.NewFile(uintptr(fds[1]), "turn"), nil
}

func (s *seat) files() []*os.File {
	if s == nil {
		return nil
	}
	return []*os.File{s.in, s.out}
}

// leave gives up our copies of the process's ends: the pipe ends with the process.
func (s *seat) leave() {
	if s != nil {
		s.in.Close()
		s.out.Close()
	}
}

// inTurns runs two processes that take turns. The second starts when the first
// is ready for its batches, and finds the machine as quiet as the first did.
//
// Every process passes the turn before its batches. The first one's is taken by
// us, the second's starts the first.
func inTurns(ctx context.Context, first, second func(ctx context.Context, s *seat) error) error {
	r, err := newRelay()
	if err != nil {
		return fmt.Errorf("making the pipes of a pair: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	ready := make(chan bool, 1)
	go func() {
		err := first(ctx, &r.first)
		r.first.leave() // where it was not even started
		ended <- err
	}()
	go func() {
		n, _ := r.second.in.Read(make([]byte, 1))
		ready <- n == 1
	}()
	if !<-ready {
		r.second.leave()
		return <-ended
	}
	err = second(ctx, &r.second)
	r.second.leave()
	if err != nil {
		cancel() // the pair is lost
		if firstErr := <-ended; firstErr != nil && !errors.Is(firstErr, context.Canceled) {
			return firstErr
		}
		return err
	}
	return <-ended
}

// turn is how long the process's turns are, 0 when it takes none.
func (o Order) turn() time.Duration {
	if o.seat == nil {
		return 0
	}
	return turn
}

// together runs two processes at the same time. When one fails, the other ends.
func together(ctx context.Context, first, second func(ctx context.Context, s *seat) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		err := first(ctx, nil)
		if err != nil {
			cancel()
		}
		ended <- err
	}()
	err := second(ctx, nil)
	if err != nil {
		cancel()
	}
	if firstErr := <-ended; firstErr != nil && (err == nil || !errors.Is(firstErr, context.Canceled)) {
		return firstErr
	}
	return err
}
