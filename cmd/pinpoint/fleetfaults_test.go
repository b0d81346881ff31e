//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/report"
)

// A fleetSite is a site with a server and two workers, each a process of its own.
type fleetSite struct {
	site
	server  *child
	workers []*child
	serve   []string
	join    string
}

// child is a pinpoint that runs until it is ended.
type child struct {
	*exec.Cmd
	mu   sync.Mutex
	said bytes.Buffer
}

func (c *child) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.said.Write(p)
}

func (c *child) log() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.said.String()
}

func (s site) start(t *testing.T, args ...string) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(s.pinpoint(t), args...)}
	c.Dir, c.Env, c.Stderr = s.dir, s.env(), c
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.end(syscall.SIGKILL) })
	return c
}

// end ends it, and waits until it has.
func (c *child) end(sig os.Signal) {
	if c.ProcessState == nil {
		c.Process.Signal(sig)
		c.Wait()
	}
}

func newFleet(t *testing.T) *fleetSite {
	t.Helper()
	s := &fleetSite{site: newSite(t)}
	l, err := net.Listen("tcp", "127.0.0.1:0") // a port that is free, and that a second server finds free
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	dir := filepath.Join(s.dir, "fleet")
	if got := s.run(t, []string{"fleet", "init", "--host", "127.0.0.1", "--port", fmt.Sprint(port), dir}, 0, nil); got.status != 0 {
		t.Fatalf("fleet init: %d\n%s", got.status, got.stderr)
	}
	s.serve, s.join = []string{"fleet", "serve", dir}, filepath.Join(dir, "default.join")
	s.server = s.start(t, s.serve...)
	s.connect(t).Close()
	for range 2 {
		s.launch(t)
	}
	return s
}

func (s *fleetSite) launch(t *testing.T) {
	t.Helper()
	cache := filepath.Join(s.dir, fmt.Sprint("worker", len(s.workers)))
	s.workers = append(s.workers, s.start(t, "worker", "--join", s.join, "--cache", cache))
}

// connect waits until the server answers.
func (s *fleetSite) connect(t *testing.T) *bus.Bus {
	t.Helper()
	j, err := bus.ReadJoin(s.join)
	if err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(time.Minute); ; {
		b, err := bus.Connect(t.Context(), j, nil)
		if err == nil {
			return b
		}
		if time.Now().After(until) {
			t.Fatal(err)
		}
	}
}

// hunts are those of which workers say that they did rounds, with the last round's number.
func (s *fleetSite) hunts(t *testing.T) map[string]int {
	t.Helper()
	last := make(map[string]int)
	for _, w := range s.workers {
		for _, m := range regexp.MustCompile(`job (\w+)\.(\d+): [0-9.]+ s\n`).FindAllStringSubmatch(w.log(), -1) {
			n, err := strconv.Atoi(m[2])
			if err != nil {
				t.Fatal(err)
			}
			last[m[1]] = max(last[m[1]], n)
		}
	}
	return last
}

// working waits until a worker runs a process of a round.
func (c *child) working(t *testing.T) {
	t.Helper()
	for until := time.Now().Add(2 * time.Minute); time.Now().Before(until); {
		lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", c.Process.Pid))
		for _, list := range lists {
			if children, _ := os.ReadFile(list); len(children) > 0 {
				return
			}
		}
	}
	t.Error("a worker did nothing")
}

// TestFleetKilled ends the parts of a fleet as nothing can be caught, in the middle of a hunt:
// the answer is right, each round is accounted for and counts once, and nothing is left.
func TestFleetKilled(t *testing.T) {
	for name, kill := range map[string]func(t *testing.T, s *fleetSite){
		"the server": func(t *testing.T, s *fleetSite) {
			s.workers[0].working(t)
			s.server.end(syscall.SIGKILL)
			s.server = s.start(t, s.serve...)
		},
		"a worker": func(t *testing.T, s *fleetSite) {
			s.workers[0].working(t)
			s.workers[0].end(syscall.SIGKILL)
		},
		"all workers": func(t *testing.T, s *fleetSite) {
			s.workers[0].working(t)
			for _, w := range s.workers {
				w.end(syscall.SIGKILL)
			}
			s.launch(t)
		},
		"the hunt": nil,
	} {
		t.Run(name, func(t *testing.T) {
			s := newFleet(t)
			before := s.state(t)
			told := filepath.Join(s.dir, "report.json")
			args := append(findArgs[:len(findArgs):len(findArgs)], "--fleet", s.join, "--json", told)
			if kill == nil {
				args = append(args, "--resume")
				killed := s.run(t, args, 6, func(p *os.Process) {
					s.workers[0].working(t)
					p.Kill()
				})
				if killed.status != -1 {
					t.Fatalf("it came to its end: %d\n%s", killed.status, killed.stderr)
				}
			}
			var meddling sync.WaitGroup
			got := s.run(t, args, 6, func(*os.Process) {
				if kill != nil {
					meddling.Go(func() { kill(t, s) })
				}
			})
			meddling.Wait()
			if got.status != 1 || !strings.Contains(got.stdout, "Sum") {
				t.Fatalf("%d\n%s%s", got.status, got.stdout, got.stderr)
			}
			t.Log(got.stderr[strings.LastIndex(got.stderr, "\nfleet: ")+1:])
			s.account(t, told, kill == nil)
			for _, c := range append(s.workers, s.server) {
				c.end(syscall.SIGTERM)
			}
			// What was killed leaves its directory to the next that runs.
			s.run(t, []string{"layers", "--rev", "good", "--func", "Sum"}, 0, nil)
			s.clean(t, name, before)
		})
	}
}

// account checks that all rounds of a hunt are done and none counts twice, and that the
// server has nothing of it. Resumed are those that were killed before, of which it forgets
// results and files in a day.
func (s *fleetSite) account(t *testing.T, told string, resumed bool) {
	t.Helper()
	data, err := os.ReadFile(told)
	if err != nil {
		t.Fatal(err)
	}
	var r report.Report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	f := r.Search.Fleet
	if f == nil || f.Done != f.Rounds || f.Rounds == 0 {
		t.Fatalf("the fleet did %+v", f)
	}
	for _, c := range r.Provenance.Campaigns {
		seen := make(map[[2]float64]bool)
		for i := range c.Good {
			if pair := [2]float64{c.Good[i], c.Bad[i]}; seen[pair] {
				t.Errorf("of %s a pair counts twice: %v", c.What, pair)
			} else {
				seen[pair] = true
			}
		}
	}
	var hunts map[string]int
	for until := time.Now().Add(time.Minute); ; { // the last one is told a moment after its result
		hunts = s.hunts(t)
		if slices.Contains(slices.Collect(maps.Values(hunts)), f.Rounds) {
			break
		}
		if time.Now().After(until) {
			t.Errorf("there were %d rounds, and the last ones that workers tell of are %v", f.Rounds, hunts)
			break
		}
	}
	if want := 1 + map[bool]int{true: 1}[resumed]; len(hunts) != want {
		t.Errorf("workers did rounds of %d hunts, want %d", len(hunts), want)
	}
	b := s.connect(t)
	defer b.Close()
	for hunt, n := range hunts {
		for until := time.Now().Add(time.Minute); ; {
			jobs, results, files, err := b.Left(context.Background(), hunt)
			if err == nil && jobs == 0 && (results+files == 0 || resumed && n != f.Rounds) {
				break
			}
			if time.Now().After(until) {
				t.Errorf("of %s %d jobs, %d results and %d files are left, %v", hunt, jobs, results, files, err)
				break
			}
		}
	}
}
