package fleet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/fleet/depot"
	"github.com/pinpoint-go/pinpoint/fleet/job"
	"github.com/pinpoint-go/pinpoint/fleet/server"
	"github.com/pinpoint-go/pinpoint/fleet/worker"
	"github.com/pinpoint-go/pinpoint/harness"
)

// lease is short in tests: a worker that is gone is waited for that long.
const lease = time.Second

const token = "a secret"

func serve(t *testing.T, dir string, port int, most int64) *server.Server {
	t.Helper()
	s, err := server.On(port, dir, token, most)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func joinOf(s *server.Server) bus.Join {
	return bus.Join{URL: s.ClientURL(), Tenant: "default", Token: token}
}

func connect(t *testing.T, j bus.Join) *bus.Bus {
	t.Helper()
	b, err := bus.Connect(t.Context(), j, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Lease = lease
	t.Cleanup(b.Close)
	return b
}

// ran is what a pretended round of a task comes to: the order of the processes, and the
// number of the task in the iterations' time.
func ran(task harness.Task) harness.Done {
	r := harness.Round{Order: task.Order, Layout: task.Layout}
	for side := range task.Binaries {
		r.Runs = append(r.Runs, harness.Process{
			Seconds: 1, Benchmarks: []string{"BenchmarkX"},
			Batches: []harness.Batch{{Bench: "BenchmarkX", N: task.N[side], NS: float64(1000 + task.Number)}},
		})
	}
	return harness.Done{Round: r}
}

// start starts a worker whose rounds are pretended, and gives what ends it.
func start(t *testing.T, j bus.Join, perform func(context.Context, harness.Task) (harness.Done, error)) (end func()) {
	t.Helper()
	return run(t, workerOf(t, j, perform))
}

func workerOf(t *testing.T, j bus.Join, perform func(context.Context, harness.Task) (harness.Done, error)) *worker.Worker {
	t.Helper()
	cache, err := depot.OpenCache(t.TempDir(), MostCached)
	if err != nil {
		t.Fatal(err)
	}
	return &worker.Worker{Bus: connect(t, j), Cache: cache, Perform: perform}
}

func run(t *testing.T, w *worker.Worker) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.Run(ctx); err != nil {
			t.Errorf("a worker ended: %v", err)
		}
	})
	end = func() { cancel(); running.Wait(); w.Cache.Close() }
	t.Cleanup(end)
	return end
}

func pretend(_ context.Context, task harness.Task) (harness.Done, error) { return ran(task), nil }

// runAll runs all tasks at the same time.
func runAll(t *testing.T, f *Fleet, list []harness.Task) ([]harness.Done, error) {
	t.Helper()
	all := make([]harness.Done, len(list))
	group, ctx := errgroup.WithContext(t.Context())
	for i, task := range list {
		group.Go(func() (err error) { all[i], err = f.Run(ctx, task); return err })
	}
	return all, group.Wait()
}

func over(t *testing.T, j bus.Join) *Fleet {
	t.Helper()
	f, err := Over(t.Context(), connect(t, j), nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// tasks are pairs of a program that nobody runs.
func tasks(t testing.TB, n int) []harness.Task {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "program")
	for name, content := range map[string]string{path: "a program", filepath.Join(dir, "go.mod"): "module m\n"} {
		if err := os.WriteFile(name, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b := harness.Binary{Path: path, Dir: dir}
	list := make([]harness.Task, n)
	for i := range list {
		list[i] = harness.Task{
			Binaries: []harness.Binary{b, b}, N: []int64{1, 1}, Batches: 1,
			Workload: harness.Workload{Kind: harness.Bench, Pattern: "X"}, Order: []int{i % 2, 1 - i%2}, Number: i,
		}
	}
	return list
}

// account checks that each task has its own result, once, and that nothing of the hunt is
// left behind.
func account(t *testing.T, f *Fleet, j bus.Join, all []harness.Done) {
	t.Helper()
	for i, d := range all {
		if len(d.Round.Runs) != 2 || d.Round.Runs[0].Batches[0].NS != float64(1000+i) {
			t.Fatalf("round %d of %d is %+v", i, len(all), d.Round)
		}
	}
	if c := f.Counts(); c.Done != len(all) || c.Jobs != len(all) {
		t.Errorf("of %d rounds: %+v", len(all), c)
	}
	leave(t, f, j)
}

func leave(t *testing.T, f *Fleet, j bus.Join) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	// A worker that stored a result a moment ago is about to see that nobody wants it.
	b, waited := connect(t, j), time.NewTimer(20*time.Second)
	defer waited.Stop()
	for {
		jobs, results, files, err := b.Left(t.Context(), f.hunt)
		if err == nil && jobs+results+files == 0 {
			return
		}
		select {
		case <-waited.C:
			t.Errorf("%d jobs, %d results and %d files are left, %v", jobs, results, files, err)
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Results that are too large for a message travel as files, and go with the hunt.
func TestLargeResults(t *testing.T) {
	t.Parallel()
	j := joinOf(serve(t, t.TempDir(), -1, 1<<30))
	start(t, j, func(_ context.Context, task harness.Task) (harness.Done, error) {
		done := ran(task)
		noise := rand.New(rand.NewPCG(uint64(task.Number), 1)) // which can't be compressed
		for range 60_000 {
			done.Round.Runs[0].Batches = append(done.Round.Runs[0].Batches, harness.Batch{N: 1, NS: noise.Float64()})
		}
		return done, nil
	})
	f := over(t, j)
	list := tasks(t, 3)
	for i := range list {
		list[i].Batches = 60_001
	}
	all, err := runAll(t, f, list)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(all[0].Round.Runs[0].Batches); n != 60_001 {
		t.Errorf("%d batches came back", n)
	}
	account(t, f, j, all)
}

func TestManyTinyJobs(t *testing.T) {
	t.Parallel()
	s := serve(t, t.TempDir(), -1, 1<<30)
	j := joinOf(s)
	var runs atomic.Int64
	for range 4 {
		start(t, j, func(_ context.Context, task harness.Task) (harness.Done, error) {
			runs.Add(1)
			return ran(task), nil
		})
	}
	f := over(t, j)
	n := 1000
	if os.Getenv("PINPOINT_THOROUGH") != "" {
		n = 10_000
	}
	began := time.Now()
	all, err := runAll(t, f, tasks(t, n))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d jobs in %v", n, time.Since(began))
	if runs.Load() < int64(n) {
		t.Errorf("%d ran of %d", runs.Load(), n)
	}
	account(t, f, j, all)
}

func TestFailure(t *testing.T) {
	t.Parallel()
	j := joinOf(serve(t, t.TempDir(), -1, 1<<30))
	start(t, j, func(_ context.Context, task harness.Task) (harness.Done, error) {
		if task.Number == 2 {
			return harness.Done{}, &harness.WorkloadError{Label: "bad", Workload: "benchmark X", Cause: fmt.Errorf("%w within 1s", harness.ErrHung), Tail: "goroutine 1"}
		}
		return ran(task), nil
	})
	f := over(t, j)
	_, err := runAll(t, f, tasks(t, 4))
	want := "running benchmark X of the bad side: not finishing within 1s\ncommand: cd '' && \noutput:\n\tgoroutine 1"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v", err)
	}
	leave(t, f, j)
}

// A hunt asks the class first that has most workers, and knows the others; rounds go where
// they are to, and those of a class that is gone to the first if they may. What can't run
// what is built here is of no class, and what is unfit is not used.
func TestClasses(t *testing.T) {
	t.Parallel()
	j := joinOf(serve(t, t.TempDir(), -1, 1<<30))
	another, gone := "", func() {}
	for i, change := range []func(*job.Worker){
		func(w *job.Worker) { w.Facts.CPU = "another"; another = w.Class() },
		func(w *job.Worker) { w.Facts.Arch = "another" },
		func(w *job.Worker) { w.Board = "another" },
		func(w *job.Worker) { w.Unfit = "it is hot" },
		func(*job.Worker) {},
	} {
		w := job.ThisMachine(fmt.Sprint(i), "v0")
		change(&w)
		data, err := job.Pack(w)
		if err != nil {
			t.Fatal(err)
		}
		alive, end := context.WithCancel(t.Context())
		b := connect(t, j)
		if err := b.Alive(alive, "worker."+w.ID, data); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			gone = func() {
				end()
				for f, err := b.Workers(t.Context()); err != nil || len(f) > 5; f, err = b.Workers(t.Context()) {
				}
			}
		}
		defer end()
	}
	start(t, j, pretend)
	// While each class has one worker, either may be at the head.
	watch := connect(t, j)
	for all, err := watch.Workers(t.Context()); err != nil || len(all) < 6; all, err = watch.Workers(t.Context()) {
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
	here := job.ThisMachine("", "").Class()
	f := over(t, j)
	m := f.Machines()
	if len(m) != 2 || m[0].Class != here || m[1].Class != another || m[1].Count != 1 || f.Counts().Workers != 3 || !slices.Contains(f.Report().Unused, "it is hot") {
		t.Errorf("the machines are %+v: %+v", m, f.Report())
	}
	list := tasks(t, 3)
	list[0].Machine, list[1].Machine, list[1].Anywhere = here, another, true
	list[2].Machine = another
	var running sync.WaitGroup
	running.Go(func() {
		if _, err := f.Run(t.Context(), list[2]); !errors.Is(err, ErrNoWorkers) {
			t.Errorf("of a round that nobody may run: %v", err)
		}
	})
	running.Go(func() {
		all, err := runAll(t, f, list[:2])
		if err != nil || all[0].Round.Machine != here || all[1].Round.Machine != here {
			t.Errorf("done are %+v, %v", all, err)
		}
	})
	for f.Counts().Jobs < 3 { // two are nobody's, as its worker only says that it is there
		runtime.Gosched()
	}
	f.mu.Lock()
	f.kinds[1].lonely = time.Now().Add(-time.Hour)
	f.mu.Unlock()
	gone()
	f.count(t.Context())
	f.nudge()
	running.Wait()
	if n := f.Counts().Moved; n != 1 {
		t.Errorf("%d were moved", n)
	}
	leave(t, f, j)
}

// A machine on which a program differs from itself is not used: the round goes to another,
// and it is said.
func TestTwins(t *testing.T) {
	t.Parallel()
	j := joinOf(serve(t, t.TempDir(), -1, 1<<30))
	tested := make(chan struct{})
	var runs atomic.Int64
	launch := func(factor float64) {
		w := workerOf(t, j, func(_ context.Context, task harness.Task) (harness.Done, error) {
			if runs.Add(1); factor != 1 && task.Binaries[0].Path != task.Binaries[1].Path {
				t.Error("an unfit worker ran a round")
			}
			d := ran(task)
			for i := range 12 {
				d.Round.Runs[1].Batches = append(d.Round.Runs[1].Batches, harness.Batch{Bench: "BenchmarkX", N: 1, NS: factor * float64(1000+i+task.Number)})
				d.Round.Runs[0].Batches = append(d.Round.Runs[0].Batches, harness.Batch{Bench: "BenchmarkX", N: 1, NS: float64(1000 + i + task.Number)})
			}
			return d, nil
		})
		w.Twins = true
		run(t, w)
	}
	launch(1.5)
	f := over(t, j)
	list := tasks(t, 4)
	for i := range list {
		list[i].Batches, list[i].Binaries[1].Path = 12, os.Args[0]
	}
	go func() {
		defer close(tested)
		for len(f.Report().Unused) == 0 {
			f.count(t.Context())
		}
		launch(1)
	}()
	if _, err := runAll(t, f, list); err != nil {
		t.Error(err)
	}
	<-tested
	if text := f.Report().Text(); !strings.Contains(text, "held against itself, a program takes 1.5") {
		t.Error(text)
	}
	leave(t, f, j)
}

// A round that came to workers which are not fit, as many as it may be handed out to and
// more, is done by the first that is.
func TestUnfitCountNothing(t *testing.T) {
	t.Parallel()
	j := joinOf(serve(t, t.TempDir(), -1, 1<<30))
	launch := func(factor float64) {
		w := workerOf(t, j, func(_ context.Context, task harness.Task) (harness.Done, error) {
			d := ran(task)
			if task.Binaries[0].Path == task.Binaries[1].Path {
				d.Round.Runs[1].Batches[0].NS *= factor
			}
			return d, nil
		})
		w.Twins = true
		run(t, w)
	}
	for range bus.Deliveries + 1 {
		launch(1.5)
	}
	f := over(t, j)
	list := tasks(t, 1)
	list[0].Binaries[1].Path = os.Args[0]
	var fit sync.WaitGroup
	fit.Go(func() {
		for len(f.Report().Unused) <= bus.Deliveries {
			if f.count(t.Context()); t.Context().Err() != nil {
				return
			}
		}
		launch(1)
	})
	all, err := runAll(t, f, list)
	if err != nil {
		t.Fatal(err)
	}
	fit.Wait()
	account(t, f, j, all)
}

// A worker whose rounds are unlike those of the others is asked to hold itself against
// itself again.
func TestDoubts(t *testing.T) {
	var l likeness
	j := job.Job{Programs: make([]job.Program, 2)}
	for n := range 10 {
		for worker, factor := range map[string]float64{"a": 2, "b": 2, "c": 2, "d": 1.7} {
			batches := func(ns float64) []harness.Batch {
				return []harness.Batch{{N: 1, NS: ns * (1 + 0.003*float64(n%3))}, {N: 1, NS: ns}}
			}
			l.take(j, job.Result{Worker: worker, Done: harness.Done{Round: harness.Round{Runs: []harness.Process{{Batches: batches(100)}, {Batches: batches(100 * factor)}}}}})
		}
	}
	if l.doubts["d"] == 0 || l.doubts["a"]+l.doubts["b"]+l.doubts["c"] > 0 {
		t.Errorf("doubts are %v", l.doubts)
	}
}
