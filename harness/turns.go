package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// turn is how long one process of a round runs batches before the next one does.
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

// A relay is what the processes of a round pass the turn with: a pipe to each, which
// it reads and all others write. Only one of them runs batches at a time. When one
// ends, however it does, the others go on without it, the last one alone.
type relay struct {
	in, out []*os.File // by seat, our copies

	mu   sync.Mutex
	gone []bool // by seat: the process has ended
}

// A seat is one process's place in a relay. Nil is that of one that takes no turns.
type seat struct {
	relay *relay
	index int
}

func newRelay(seats int) (*relay, error) {
	r := &relay{gone: make([]bool, seats)}
	for range seats {
		in, out, err := pipe()
		if err != nil {
			r.close()
			return nil, fmt.Errorf("making the pipes of a round: %w", err)
		}
		r.in, r.out = append(r.in, in), append(r.out, out)
	}
	return r, nil
}

func (r *relay) close() {
	for i := range r.in {
		r.in[i].Close()
		r.out[i].Close()
	}
}

// others is with how many the process takes turns.
func (s *seat) others() int {
	if s == nil {
		return 0
	}
	return len(s.relay.in) - 1
}

// files are the pipe that the process reads and those of the others, the next one's first.
func (s *seat) files() []*os.File {
	if s == nil {
		return nil
	}
	files := []*os.File{s.relay.in[s.index]}
	for i := 1; i <= s.others(); i++ {
		files = append(files, s.relay.out[(s.index+i)%len(s.relay.out)])
	}
	return files
}

// leave gives up our end of the pipe that the process reads: with the process, nobody
// does, and the others pass it over.
func (s *seat) leave() {
	if s != nil {
		s.relay.in[s.index].Close()
	}
}

// passOn gives the turn, which a process had when it ended, to the next of those that
// are left. The last one reads the end of its pipe when we give that up.
func (s *seat) passOn() {
	if s == nil {
		return
	}
	r := s.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone[s.index] = true
	var left []int
	for i := 1; i < len(r.out); i++ {
		if next := (s.index + i) % len(r.out); !r.gone[next] {
			left = append(left, next)
		}
	}
	switch {
	case len(left) == 1:
		r.out[left[0]].Close()
	case len(left) > 1:
		r.out[left[0]].Write(turnByte)
	}
}

// turnByte is what passes. Any byte does.
var turnByte = []byte{0}

// ready waits until a process is ready for its batches, and reports false if it ends
// before. Every process passes the turn then, to the next. We take it.
func (r *relay) ready(i int, ended <-chan struct{}) bool {
	passed := make(chan bool, 1)
	go func() {
		n, _ := r.in[i+1].Read(make([]byte, 1))
		passed <- n == 1
	}()
	select {
	case ok := <-passed:
		return ok
	case <-ended:
		return false
	}
}

// launch runs one process of a round, in a seat if it takes turns.
type launch func(ctx context.Context, s *seat) error

// inTurns runs processes that take turns. Each starts when the one before is ready for
// its batches, and finds the machine as quiet as that did. The last one, when it is
// ready, passes the turn to the first.
func inTurns(ctx context.Context, launches []launch) error {
	r, err := newRelay(len(launches))
	if err != nil {
		return err
	}
	defer r.close()
	return together(ctx, launches, r)
}

// together runs processes at the same time, in turns if there is a relay. When one
// fails, the others end.
func together(ctx context.Context, launches []launch, r *relay) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(launches))
	var running sync.WaitGroup
	for i, launch := range launches {
		var s *seat
		if r != nil {
			s = &seat{r, i}
		}
		ended := make(chan struct{})
		running.Go(func() {
			defer close(ended)
			if errs[i] = launch(ctx, s); errs[i] != nil {
				cancel() // the round is lost
			}
		})
		if r == nil || i == len(launches)-1 || r.ready(i, ended) {
			continue
		}
		<-ended
		if errs[i] == nil {
			errs[i] = errors.New("a process ended before its first turn")
		}
		cancel()
		break
	}
	running.Wait()
	return cause(errs)
}

// cause is the error that ended a round: not that of a process which was ended for it.
func cause(errs []error) error {
	var first error
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		first = cmp.Or(first, err)
	}
	return first
}

// turn is how long the process's turns are, 0 when it takes none.
func (o Order) turn() time.Duration {
	if o.seat == nil {
		return 0
	}
	return turn
}
