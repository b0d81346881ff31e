package fleet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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
	cache, err := depot.OpenCache(t.TempDir(), MostCached)
	if err != nil {
		t.Fatal(err)
	}
	w := &worker.Worker{Bus: connect(t, j), Cache: cache, Perform: perform}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.Run(ctx); err != nil {
			t.Errorf("a worker ended: %v", err)
		}
	})
	end = func() { cancel(); running.Wait(); cache.Close() }
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
	jobs, results, err := connect(t, j).Left(t.Context(), f.hunt)
	if err != nil || jobs != 0 || results != 0 {
		t.Errorf("%d jobs and %d results are left, %v", jobs, results, err)
	}
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

// A hunt takes the class that has most workers, and says that there are others. What can't
// run what is built here is of no class.
func TestClasses(t *testing.T) {
	t.Parallel()
	j := joinOf(serve(t, t.TempDir(), -1, 1<<30))
	for i, change := range []func(*job.Worker){
		func(w *job.Worker) { w.Facts.CPU = "another" },
		func(w *job.Worker) { w.Facts.Arch = "another" },
		func(w *job.Worker) { w.Board = "another" },
		func(*job.Worker) {}, func(*job.Worker) {},
	} {
		w := job.ThisMachine(fmt.Sprint(i), "v0")
		change(&w)
		data, err := job.Pack(w)
		if err != nil {
			t.Fatal(err)
		}
		if err := connect(t, j).Alive(t.Context(), "worker."+w.ID, data); err != nil {
			t.Fatal(err)
		}
	}
	f := over(t, j)
	if c := f.Counts(); c.Workers != 2 || c.Others != 1 || f.class != job.ThisMachine("", "").Class() {
		t.Errorf("counts are %+v, of class %s", c, f.class)
	}
	leave(t, f, j)
}
