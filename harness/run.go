package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/instrument"
)

// Run runs one process and nothing beside it.
//
// Errors: *WorkloadError when the process failed, hung or exited 0 without a
// result, with the batches that it completed in the Process; *MissingError when
// it did its job and the pattern matched nothing; *ChoiceError when the pattern
// matched several benchmarks; the error of ctx when it was given up.
func Run(ctx context.Context, b Binary, w Workload, o Order) (Process, error) {
	if len(w.Writes) > 0 {
		return runWriting(ctx, b, w, o)
	}
	return runAlone(ctx, b, w, o)
}

func runAlone(ctx context.Context, b Binary, w Workload, o Order) (p Process, err error) {
	err = host.whileQuiet(ctx, func() (err error) { p, err = runQuiet(ctx, b, w, o); return err })
	return p, err
}

// runQuiet is Run where the machine is quiet already.
func runQuiet(ctx context.Context, b Binary, w Workload, o Order) (Process, error) {
	p, err := run(ctx, b, w, o)
	var missing *MissingError
	if errors.As(err, &missing) {
		err = cmp.Or(checkSkipped(ctx, b, w), err)
	}
	return p, err
}

// checkSkipped runs the workload verbosely, as short as can be, and returns a
// *WorkloadError if all it does is to skip itself: package testing doesn't tell
// otherwise. Whatever else goes wrong is for others to say.
func checkSkipped(ctx context.Context, b Binary, w Workload) error {
	o := Order{N: 1, verbose: true}
	r, err := newRoom(w.Input)
	if err != nil {
		return nil
	}
	defer r.close()
	c := newChild(ctx, r, b, w, o)
	end, err := c.run(ctx)
	if err != nil || end.failure(c.timeout) != nil || !skips(end.output) {
		return nil
	}
	return newFailure(ErrSkipped, c, b, w, end)
}

// inRoom puts the process's own temporary directory in the place of {{tmp}}.
func inRoom(args []string, tmp string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		args[i] = strings.ReplaceAll(arg, "{{tmp}}", tmp)
	}
	return args
}

func newChild(ctx context.Context, r *room, b Binary, w Workload, o Order) child {
	return child{
		path: b.Path, args: inRoom(w.arguments(o), r.tmp), dir: b.Dir, peak: w.Kind != Bench,
		env:   environment(os.LookupEnv, b, w, r.tmp),
		stdin: r.input, timeout: w.timeout(), memory: w.memory(b), view: viewOf(ctx, r, b, w),
	}
}

func run(ctx context.Context, b Binary, w Workload, o Order) (_ Process, err error) {
	r, err := newRoom(w.Input)
	if err != nil {
		return Process{}, err
	}
	defer func() {
		if cerr := r.close(); err == nil {
			err = cerr
		}
	}()
	if err := prepare(w); err != nil {
		return Process{}, fmt.Errorf("making the files of the process: %w", err)
	}
	// Counters are of what this thread starts.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// Without any, nothing is missed but what corroborates; NoCounters tells why.
	counters, _ := openCounters(o.events())
	defer counters.close()
	board, err := instrument.CreateBoard(r.boardPath(), instrument.BoardSpec{
		Probes: b.Probes, On: o.On, Records: o.batches() + spareRecords,
		Turn: o.turn(), Others: o.seat.others(), Counters: len(counters),
	})
	if err != nil {
		return Process{}, fmt.Errorf("making the board: %w", err)
	}
	defer board.Close()
	if err := board.Unlink(); err != nil {
		return Process{}, fmt.Errorf("making the board: %w", err)
	}
	c := newChild(ctx, r, b, w, o)
	// Where there is no space for a copy, the original does: it is a matter of noise.
	c.copied, _ = r.program(b.Path)
	c.board, c.seat, c.counters, c.stands, c.pin = board.File(), o.seat, counters, board.Standing, o.pin
	end, err := c.run(ctx)
	if err != nil {
		return Process{}, err
	}
	p := read(board, w.Kind, c, end)
	if err := board.Err(); err != nil {
		return p, err
	}
	p.keep(w.Kind, o.N)
	if w.Kind == Bench {
		p.Executed = executed(board.Counts(), float64(o.N)*float64(len(p.Batches)-1))
	} else {
		p.Executed = executed(counters.total(), 1)
	}
	cause, err := judge(p, board.Opened(), w, b.Label, end)
	if cause != nil {
		err = newFailure(cause, c, b, w, end)
	}
	return p, err
}

// read takes from the board and from the ending what the process did.
func read(board *instrument.Board, kind Kind, c child, end ending) Process {
	p := Process{
		Timed: board.Timed(), Parallel: board.Parallel(),
		Clock: board.Clock(), Unguarded: board.Unguarded(),
		Seconds: end.wall.Seconds(), Usage: usageOf(end.state),
		Command: c.commandLine(), Env: c.env,
	}
	p.Usage.Waited, p.Usage.Started = board.Waited(), end.parent
	if kind != Bench && end.state != nil {
		p.Usage.Peak = peakOf(end.state, end.peak)
	}
	p.Totals = board.Totals()
	if kind != Bench {
		b := Batch{N: 1, NS: float64(end.wall), Parts: p.Totals}
		if end.state != nil {
			b.Metered = float64(end.state.UserTime() + end.state.SystemTime() - end.entry)
		}
		p.Batches = []Batch{b}
		return p
	}
	for _, r := range board.Records() {
		// Package testing has a benchmark of its own, Main, around those of the
		// package; when none of these matches, it is no parent and has a record.
		if !strings.HasPrefix(r.Bench, "Benchmark") {
			continue
		}
		if !slices.Contains(p.Benchmarks, r.Bench) {
			p.Benchmarks = append(p.Benchmarks, r.Bench)
		}
		p.Batches = append(p.Batches, Batch{Bench: r.Bench, N: r.N, NS: r.NS, Allocs: r.Allocs, Bytes: r.Bytes, Metered: r.Metered, Mask: r.Mask, Parts: r.Parts, Reported: r.Reported})
	}
	return p
}

// judge decides whether the process did its job: why it failed, or that there
// is not the one thing to measure.
func judge(p Process, opened bool, w Workload, label string, end ending) (cause, err error) {
	switch cause := end.failure(w.timeout()); {
	case cause != nil:
		return cause, nil
	case w.Kind == Bench && !opened:
		return ErrNoBoard, nil
	case w.Kind == Bench && len(p.Benchmarks) == 0 && ranTests(end.output), w.Kind == Test && noTests(end.output):
		return nil, &MissingError{Labels: []string{label}, Workload: w.describe()}
	case len(p.Benchmarks) > 1:
		return nil, &ChoiceError{Pattern: w.Pattern, Names: p.Benchmarks}
	}
	return p.fault(), nil
}

func newFailure(cause error, c child, b Binary, w Workload, end ending) *WorkloadError {
	hint := advice(cause, w, end.output)
	if hint == "" && c.view != nil {
		hint = "it ran in a sandbox, without network, home and files to write to but its own: if it needs them, --sandbox=false"
	}
	return &WorkloadError{
		Label: b.Label, Workload: w.describe(), Command: c.commandLine(), Dir: c.dir,
		Tail: end.output, Cause: cause, Advice: hint,
	}
}

// keep drops what wasn't ordered: package testing runs a single iteration
// before the batches of n.
func (p *Process) keep(kind Kind, n int64) {
	if kind == Bench && n > 0 {
		p.Batches = slices.DeleteFunc(p.Batches, func(b Batch) bool { return b.N != n })
	}
}

// leastTime is what an iteration takes at least, in nanoseconds: a tenth of a processor's
// cycle. The loop around nothing takes more. Of few iterations clocks tell less.
const leastTime = 0.02

// fault says why the batches of a process that exited 0 can't be used.
func (p *Process) fault() error {
	if len(p.Batches) == 0 {
		return ErrNoResult
	}
	timed, n := 0.0, 0.0
	for _, b := range p.Batches {
		timed, n = timed+b.NS, n+float64(b.N)
		if b.N <= 0 || b.Mask < 0 || b.NS < 0 || math.IsNaN(b.NS) || math.IsInf(b.NS, 0) {
			return fmt.Errorf("%w: a batch of %d iterations in %v ns", ErrGarbage, b.N, b.NS)
		}
	}
	if n >= 100 && timed < leastTime*n {
		return fmt.Errorf("%w: %v ns for %v iterations", ErrNothing, timed, n)
	}
	// The child writes what it likes, but not for longer than it ran.
	if wall := 1e9 * p.Seconds; timed > wall+wall/100+1e6 {
		return fmt.Errorf("%w: batches of %.3g s in a process of %.3g s", ErrGarbage, timed/1e9, wall/1e9)
	}
	return nil
}
