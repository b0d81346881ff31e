package fleet

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/fleet/depot"
	"github.com/pinpoint-go/pinpoint/fleet/job"
	"github.com/pinpoint-go/pinpoint/fleet/schedule"
	"github.com/pinpoint-go/pinpoint/fleet/worker"
	"github.com/pinpoint-go/pinpoint/harness"
)

// asWorker makes this test binary a worker that takes one job, says so, and does it never.
const asWorker = "PINPOINT_TEST_WORKER"

func TestMain(m *testing.M) {
	url := os.Getenv(asWorker)
	if url == "" {
		os.Exit(m.Run())
	}
	ctx := context.Background()
	b, err := bus.Connect(ctx, bus.Join{URL: url, Tenant: "default", Token: token}, nil)
	if err != nil {
		panic(err)
	}
	b.Lease = lease
	dir, err := os.MkdirTemp("", "worker-")
	if err != nil {
		panic(err)
	}
	cache, err := depot.OpenCache(dir, MostCached)
	if err != nil {
		panic(err)
	}
	w := &worker.Worker{Bus: b, Cache: cache, Perform: func(context.Context, harness.Task) (harness.Done, error) {
		os.RemoveAll(dir)
		os.Stdout.WriteString("working\n")
		select {}
	}}
	panic(w.Run(ctx))
}

func TestKilledWorker(t *testing.T) {
	t.Parallel()
	s := serve(t, t.TempDir(), -1, 1<<30)
	j := joinOf(s)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asWorker+"="+s.ClientURL())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	f := over(t, j) // waits for the worker
	go func() {
		io.ReadFull(out, make([]byte, len("working\n")))
		start(t, j, pretend)
		cmd.Process.Kill()
	}()
	all, err := runAll(t, f, tasks(t, 20))
	if err != nil {
		t.Fatal(err)
	}
	account(t, f, j, all)
}

// A server that ends and starts again finds what it stored; what it lost is given to it
// again, also where it lost all.
func TestRestartedServer(t *testing.T) {
	for _, test := range []struct {
		name string
		lost bool
	}{{"kept", false}, {"lost", true}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := serve(t, dir, -1, 1<<30)
			j := joinOf(s)
			port := s.Addr().(*net.TCPAddr).Port
			restart := make(chan struct{})
			var once sync.Once
			for range 2 {
				start(t, j, func(_ context.Context, task harness.Task) (harness.Done, error) {
					if task.Number == 7 {
						once.Do(func() { close(restart) })
					}
					return ran(task), nil
				})
			}
			f := over(t, j)
			var again sync.WaitGroup
			again.Go(func() {
				<-restart
				s.Close()
				if test.lost {
					dir = t.TempDir()
				}
				serve(t, dir, port, 1<<30)
			})
			all, err := runAll(t, f, tasks(t, 40))
			again.Wait()
			if err != nil {
				t.Fatal(err)
			}
			if f.Counts().Again == 0 {
				t.Error("nothing was published again")
			}
			account(t, f, j, all)
		})
	}
}

// What is published twice is done once, and what two workers did counts once.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	j := joinOf(serve(t, t.TempDir(), -1, 1<<30))
	var first atomic.Bool
	held, release := make(chan struct{}), make(chan struct{})
	perform := func(_ context.Context, task harness.Task) (harness.Done, error) {
		if task.Number == 0 && first.CompareAndSwap(false, true) {
			close(held)
			<-release
		}
		return ran(task), nil
	}
	start(t, j, perform)
	start(t, j, perform)
	f := over(t, j)
	go func() {
		<-held
		f.mu.Lock()
		for _, issue := range f.kinds[0].queue.Forgotten() {
			f.again = append(f.again, issue, issue, schedule.Issue{ID: issue.ID, Copy: 2})
		}
		f.mu.Unlock()
		f.nudge()
	}()
	all, err := runAll(t, f, tasks(t, 10))
	if err != nil {
		t.Fatal(err)
	}
	close(release)
	account(t, f, j, all)
}

func TestWhatCantBe(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*harness.Done){
		"a side less":        func(d *harness.Done) { d.Round.Runs = d.Round.Runs[:1] },
		"another order":      func(d *harness.Done) { d.Round.Order = []int{1, 1} },
		"more batches":       func(d *harness.Done) { d.Round.Runs[0].Batches = make([]harness.Batch, 1000) },
		"longer than it ran": func(d *harness.Done) { d.Round.Runs[1].Seconds = 1e-12; d.Round.Runs[1].Batches[0].NS = 1e9 },
		"other iterations":   func(d *harness.Done) { d.Round.Runs[1].Batches[0].N = 7 },
		"another's layout":   func(d *harness.Done) { d.Round.Layout = 3 },
		"rounds besides":     func(d *harness.Done) { d.Aside = []harness.Round{d.Round, d.Round} },
	} {
		t.Run(name, func(t *testing.T) {
			task := tasks(t, 1)[0]
			d := ran(task)
			j := job.Job{ID: "x", Task: task}
			if err := j.Check(job.Result{ID: "x", Done: d}); err != nil {
				t.Errorf("what can be: %v", err)
			}
			change(&d)
			if err := j.Check(job.Result{ID: "x", Done: d}); err == nil {
				t.Error("it is believed")
			}
		})
	}
}

func TestWrongToken(t *testing.T) {
	t.Parallel()
	j := joinOf(serve(t, t.TempDir(), -1, 1<<30))
	j.Token = "a guess"
	if _, err := bus.Connect(t.Context(), j, nil); err == nil || !strings.Contains(err.Error(), "Authorization Violation") {
		t.Errorf("the error is %v", err)
	}
}

func TestFullStore(t *testing.T) {
	t.Parallel()
	j := joinOf(serve(t, t.TempDir(), -1, 20_000))
	start(t, j, pretend)
	f := over(t, j)
	list := tasks(t, 1)
	if err := os.WriteFile(list[0].Binaries[0].Path, make([]byte, 100_000), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := runAll(t, f, list); !errors.Is(err, bus.ErrFull) {
		t.Errorf("the error is %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// A worker that the network parts from the server loses its lease, another does its job, and
// what it tells when it is back counts nowhere.
func TestPartition(t *testing.T) {
	t.Parallel()
	s := serve(t, t.TempDir(), -1, 1<<30)
	j := joinOf(s)
	between := newProxy(t, s.Addr().String())
	parted := j
	parted.URL = "nats://" + between.Addr().String()
	held, release, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var once sync.Once
	start(t, parted, func(_ context.Context, task harness.Task) (harness.Done, error) {
		once.Do(func() {
			between.stop()
			close(held)
			<-release
			close(done)
		})
		return ran(task), nil
	})
	f := over(t, j)
	go func() {
		<-held
		start(t, j, pretend)
	}()
	all, err := runAll(t, f, tasks(t, 10))
	if err != nil {
		t.Fatal(err)
	}
	between.goOn()
	close(release)
	<-done
	account(t, f, j, all)
}

// A proxy passes bytes on, until it is stopped. It keeps its connections.
type proxy struct {
	net.Listener
	to string
	mu sync.RWMutex // held while it is stopped
}

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l, to: to}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", p.to)
			if err != nil {
				in.Close()
				continue
			}
			go p.pass(in, out)
			go p.pass(out, in)
		}
	}()
	return p
}

func (p *proxy) stop() { p.mu.Lock() }
func (p *proxy) goOn() { p.mu.Unlock() }

func (p *proxy) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		p.mu.RLock()
		_, werr := to.Write(buf[:n])
		p.mu.RUnlock()
		if err != nil || werr != nil {
			return
		}
	}
}

// A round that no worker can run is given up, with the reason.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	j := joinOf(serve(t, t.TempDir(), -1, 1<<30))
	var times atomic.Int64
	start(t, j, func(_ context.Context, task harness.Task) (harness.Done, error) {
		times.Add(1)
		return harness.Done{}, errors.New("no space for a board")
	})
	f := over(t, j)
	_, err := f.Run(t.Context(), tasks(t, 1)[0])
	if err == nil || !strings.Contains(err.Error(), "no space for a board") || times.Load() != bus.Deliveries {
		t.Errorf("after %d times the error is %v", times.Load(), err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// A cache removes nothing that it has not made, and nothing by way of a link.
func TestCacheRemovesItsOwn(t *testing.T) {
	dir, others := t.TempDir(), t.TempDir()
	theirs := filepath.Join(others, "new-thing")
	if err := os.WriteFile(theirs, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(others, filepath.Join(dir, "0000")); err != nil {
		t.Fatal(err)
	}
	if c, err := depot.OpenCache(dir, MostCached); err == nil {
		c.Close()
		t.Error("a link was taken for a cache")
	}
	if _, err := os.Stat(theirs); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, "0000")); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "0000", "notes")
	if err := errors.Join(os.Mkdir(filepath.Dir(foreign), 0o700), os.WriteFile(foreign, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	c, err := depot.OpenCache(dir, MostCached)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
}
