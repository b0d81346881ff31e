package harness

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/instrument"
)

// subject does what workloads do. Every process of it writes a line to the
// file that SUBJECT_LOG names.
const subject = `
-- go.mod --
module example.com/subject

go 1.24
-- side.go --
package subject

const Side = "good"
-- sub/data.txt --
found
-- sub/log_test.go --
package sub

import (
	"example.com/subject"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	writeLog()
	m.Run()
}

func writeLog() {
	if name := os.Getenv("SUBJECT_LOG"); name != "" {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		f.WriteString(subject.Side + "\n")
		f.Close()
	}
}
-- sub/bench_test.go --
package sub

import (
	"bytes"
	probe "debug"
	"example.com/subject"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func work(n int) int { return n + 1 }

var sink int

func BenchmarkN(b *testing.B) {
	var t [1]probe.Mark
	for range b.N {
		sink = probe.Stop(probe.Begin(&t[0], 2), work(sink))
	}
}

func BenchmarkHeldUp(b *testing.B) {
	if f, err := os.OpenFile(os.Getenv("SUBJECT_HELD"), os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		f.Close()
		time.Sleep(200 * time.Millisecond)
	}
	for range b.N {
		sink = work(sink)
	}
}

func BenchmarkLoop(b *testing.B) {
	for b.Loop() {
		sink++
	}
}

func BenchmarkSub(b *testing.B) {
	for _, size := range []int{10, 100} {
		b.Run(fmt.Sprint("size=", size), func(b *testing.B) {
			for range b.N {
				sink++
			}
		})
	}
}

func BenchmarkBegins(b *testing.B) {
	for _, name := range []string{"a/b", "a/b/c", "a/b/c/d", "a/bc", "e/", "e/f"} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				sink++
			}
		})
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
}

// BenchmarkSetUp sets up within the timer.
func BenchmarkSetUp(b *testing.B) {
	table = make([]byte, 1<<17)
	for i := range b.N {
		for range 1000 {
			sink += int(table[i%len(table)])
		}
	}
}

var table []byte

func BenchmarkNoisy(b *testing.B) {
	fmt.Println("BenchmarkNoisy 1 1 ns/op\nPASS")
	fmt.Fprintln(os.Stderr, "ok")
}

func BenchmarkFatal(b *testing.B) { b.Fatal("no good") }

func BenchmarkPanic(b *testing.B) { panic("at the disco") }

func BenchmarkExit0(b *testing.B) { os.Exit(0) }

func BenchmarkSkip(b *testing.B) { b.Skip("not today") }

func BenchmarkDiesLater(b *testing.B) {
	if runs++; runs == 4 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

var runs int

// BenchmarkTurn has batches that are as long as a turn.
func BenchmarkTurn(b *testing.B) {
	writeLog()
	for begin := time.Now(); time.Since(begin) < 4*time.Millisecond; {
		sink++
	}
}

// BenchmarkGoodIsQuick has batches as long as a turn where it is not good.
func BenchmarkGoodIsQuick(b *testing.B) {
	if subject.Side != "good" {
		BenchmarkTurn(b)
		return
	}
	writeLog()
}

// BenchmarkFaults touches 256 new pages in an operation, on a thread of its own that it
// does not give back, after touching 4096 as it sets up.
func BenchmarkFaults(b *testing.B) {
	if runs++; runs == 1 {
		touch(4096)
	}
	done := make(chan bool)
	for range b.N {
		go func() {
			runtime.LockOSThread()
			touch(256)
			done <- true
		}()
		<-done
	}
}

func touch(pages int) {
	for range pages { // each its own mapping, so that no page is a large one
		m, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			panic(err)
		}
		m[0] = 1
		syscall.Munmap(m)
	}
}

// BenchmarkMeets ends when the other side has begun.
func BenchmarkMeets(b *testing.B) {
	for {
		log, _ := os.ReadFile(os.Getenv("SUBJECT_LOG"))
		if bytes.Contains(log, []byte("good")) && bytes.Contains(log, []byte("bad")) {
			return
		}
	}
}

// BenchmarkCrowded has two threads that wait for each other by spinning.
func BenchmarkCrowded(b *testing.B) {
	var ball atomic.Int64
	go func() {
		for i := int64(1); i < 10; i += 2 {
			for ball.Load() != i {
			}
			ball.Store(i + 1)
		}
	}()
	for i := int64(0); i < 10; i += 2 {
		for ball.Load() != i {
		}
		ball.Store(i + 1)
	}
}

func BenchmarkBadDies(b *testing.B) {
	if runs++; runs == 4 && subject.Side == "bad" {
		b.Fatal("no good")
	}
}

func BenchmarkBadHangs(b *testing.B) {
	for runs++; runs == 4 && subject.Side == "bad"; {
		sink++
	}
}

func BenchmarkHang(b *testing.B) {
	for {
		sink++
	}
}

func TestFine(t *testing.T) {
	if _, err := os.ReadFile("data.txt"); err != nil {
		t.Error(err)
	}
	var m [1]probe.Mark
	for range 7 {
		sink = probe.Stop(probe.Begin(&m[0], 0), work(sink))
	}
}

func TestSkips(t *testing.T) { t.Skip("not today") }

func TestFails(t *testing.T) { t.Error("not equal") }
-- early/early_test.go --
package early

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(0) }

func BenchmarkX(b *testing.B) {}
-- prog/main.go --
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	in, _ := io.ReadAll(os.Stdin)
	fmt.Println(os.Args[1:], string(in))
	if len(in) != 5 {
		os.Exit(4)
	}
}
`

// shared is a directory for what all tests use; TestMain removes it.
var shared string

// subjects are the binaries that were built, by label and package.
var subjects = map[[2]string]Binary{}

// buildSubject builds a package of the subject with the probe runtime, once
// for all tests.
func buildSubject(t *testing.T, label, pkg string, kind Kind) Binary {
	t.Helper()
	offline(t)
	key := [2]string{label, pkg}
	if b, ok := subjects[key]; ok {
		return b
	}
	dir, err := os.MkdirTemp(shared, label)
	if err != nil {
		t.Fatal(err)
	}
	extract(t, dir, subject)
	g := goIn(t, dir)
	var o instrument.Overlay
	if err := o.AddRuntime(g.Root); err != nil {
		t.Fatal(err)
	}
	files := maps.Clone(o.Files)
	files[filepath.Join(dir, "side.go")] = []byte("package subject\n\nconst Side = \"" + label + "\"\n")
	s := Side{Label: label, Dir: dir, Package: pkg, Overlay: files}
	b, err := g.Build(t.Context(), s, Workload{Kind: kind}, dir)
	if err != nil {
		t.Fatal(err)
	}
	b.Probes = 3
	subjects[key] = b
	return b
}

// begins are benchmarks whose names begin one another.
var begins = []string{"BenchmarkBegins/a/b", "BenchmarkBegins/a/b/c", "BenchmarkBegins/a/b/c/d", "BenchmarkBegins/a/bc", "BenchmarkBegins/e/", "BenchmarkBegins/e/f"}

func TestRunBenchmark(t *testing.T) {
	b := buildSubject(t, "bad", "./sub", Bench)
	for _, test := range []struct {
		pattern string
		order   Order
		bench   string
		batches []int64
	}{
		{"^BenchmarkN$", Order{N: 3, Batches: 4}, "BenchmarkN", []int64{3, 3, 3, 3}},
		{"^BenchmarkN$", Order{N: 1, Batches: 3}, "BenchmarkN", []int64{1, 1, 1}},
		{"^BenchmarkLoop$", Order{N: 5, Batches: 2}, "BenchmarkLoop", []int64{5, 5}},
		{"^BenchmarkLoop$", Order{N: 1, Batches: 2}, "BenchmarkLoop", []int64{1, 1}},
		{"BenchmarkSub/size=100", Order{N: 4, Batches: 2}, "BenchmarkSub/size=100", []int64{4, 4}},
		{PatternOf("BenchmarkBegins/a/b", begins), Order{N: 4, Batches: 2}, "BenchmarkBegins/a/b", []int64{4, 4}},
		{PatternOf("BenchmarkBegins/e/", begins), Order{N: 4}, "BenchmarkBegins/e/", []int64{4}},
		{PatternOf("BenchmarkBegins/a/b/c", begins), Order{N: 4}, "BenchmarkBegins/a/b/c", []int64{4}},
		{PatternOf("BenchmarkBegins/a/b/c/d", begins), Order{N: 4}, "BenchmarkBegins/a/b/c/d", []int64{4}},
		{"^BenchmarkParallel$", Order{N: 4}, "BenchmarkParallel", []int64{4}},
		{"^BenchmarkNoisy$", Order{N: 2, Batches: 2}, "BenchmarkNoisy", []int64{2, 2}},
	} {
		p, err := Run(t.Context(), b, Workload{Pattern: test.pattern, CPUs: 1}, test.order)
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		var batches []int64
		for _, b := range p.Batches {
			batches = append(batches, b.N)
		}
		if !slices.Equal(batches, test.batches) || !slices.Equal(p.Benchmarks, []string{test.bench}) {
			t.Errorf("%s: %v of %v, want %v of %s", test.pattern, batches, p.Benchmarks, test.batches, test.bench)
		}
		if p.Timed.Func == "" || p.Clock.Kind == "" || p.Seconds <= 0 {
			t.Errorf("%s: timed %v, clock %v, %v s", test.pattern, p.Timed, p.Clock, p.Seconds)
		}
		if parallel := p.Parallel.Func != ""; parallel != (test.bench == "BenchmarkParallel") {
			t.Errorf("%s: parallel %v", test.pattern, p.Parallel)
		}
	}
}

// Only the probes that are on count, and only in the batches that were ordered.
func TestRunWithProbes(t *testing.T) {
	b := buildSubject(t, "good", "./sub", Bench)
	w := Workload{Pattern: "^BenchmarkN$"}
	for _, test := range []struct {
		on   []int
		want int64
	}{{nil, 0}, {[]int{0, 1}, 0}, {[]int{2}, 10}} {
		p, err := Run(t.Context(), b, w, Order{N: 10, Batches: 3, On: [][]int{test.on}})
		if err != nil {
			t.Fatal(err)
		}
		for _, batch := range p.Batches {
			if got := batch.Parts[2].Calls; got != test.want {
				t.Errorf("on %v: %d calls in a batch, want %d", test.on, got, test.want)
			}
		}
		if got := p.Sample().Parts[2].Calls; got != float64(test.want)/10 {
			t.Errorf("on %v: %v calls an operation", test.on, got)
		}
	}
	if _, err := Run(t.Context(), b, w, Order{N: 1, On: [][]int{{3}}}); err == nil {
		t.Error("a probe that isn't there was switched on")
	}
}

func TestRunTest(t *testing.T) {
	b := buildSubject(t, "good", "./sub", Test)
	p, err := Run(t.Context(), b, Workload{Kind: Test, Pattern: "^TestFine$"}, Order{On: [][]int{{0}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Batches) != 1 || p.Batches[0].N != 1 || math.Abs(p.Batches[0].NS-p.Seconds*1e9) > 1 || p.Batches[0].Parts[0].Calls != 7 {
		t.Errorf("batches %+v in %v s, want one with 7 calls", p.Batches, p.Seconds)
	}
}

func TestRunProgram(t *testing.T) {
	b := buildSubject(t, "good", "./prog", Main)
	w := Workload{Kind: Main, Args: []string{"a b", "-c"}, Input: []byte("hello")}
	p, err := Run(t.Context(), b, w, Order{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Batches) != 1 || !slices.Equal(p.Command, []string{b.Path, "a b", "-c"}) {
		t.Errorf("%+v", p)
	}
	w.Input = nil
	_, err = Run(t.Context(), b, w, Order{})
	var failed *WorkloadError
	if !errors.As(err, &failed) || failed.Cause.Error() != "exit status 4" || failed.Tail != "[a b -c] \n" {
		t.Errorf("error %v", err)
	}
}

func TestRunFails(t *testing.T) {
	b := buildSubject(t, "bad", "./sub", Bench)
	early := buildSubject(t, "bad", "./early", Bench)
	for _, test := range []struct {
		b     Binary
		w     Workload
		cause string
		text  []string
	}{
		{b, Workload{Pattern: "^BenchmarkFatal$"}, "exit status 1", []string{"running benchmark ^BenchmarkFatal$ of the bad side: exit status 1\n", "\tFAIL", "no good", "-test.bench=^BenchmarkFatal$'"}},
		{b, Workload{Pattern: "^BenchmarkPanic$"}, "exit status 2", []string{"panic: at the disco"}},
		{b, Workload{Pattern: "^BenchmarkExit0$"}, "exit status 2", []string{"can only be run as a program (--main)"}},
		{b, Workload{Pattern: "^BenchmarkHang$", Timeout: time.Millisecond}, "not finishing within 1ms", []string{"raise --timeout"}},
		{b, Workload{Kind: Test, Pattern: "^TestFails$"}, "exit status 1", []string{"running test ^TestFails$ of the bad side", "not equal"}},
		{b, Workload{Pattern: "^BenchmarkSkip$"}, "skipping itself", []string{"not today"}},
		{early, Workload{Pattern: "X"}, "exit status 0 without a result", []string{"without m.Run", "it printed nothing"}},
	} {
		p, err := Run(t.Context(), test.b, test.w, Order{N: 2})
		var failed *WorkloadError
		if !errors.As(err, &failed) {
			t.Errorf("%s: error %v, want a *WorkloadError", test.w.Pattern, err)
			continue
		}
		if failed.Label != "bad" || failed.Cause.Error() != test.cause {
			t.Errorf("%s: %s on the %s side, want %s", test.w.Pattern, failed.Cause, failed.Label, test.cause)
		}
		for _, text := range test.text {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%s: no %q in\n%v", test.w.Pattern, text, err)
			}
		}
		if test.w.Kind == Bench && len(p.Batches) > 0 {
			t.Errorf("%s: batches %v", test.w.Pattern, p.Batches)
		}
	}
}

// What a killed process completed is there, and it has failed all the same.
func TestRunKeepsWhatAKilledProcessCompleted(t *testing.T) {
	b := buildSubject(t, "bad", "./sub", Bench)
	p, err := Run(t.Context(), b, Workload{Pattern: "^BenchmarkDiesLater$"}, Order{N: 2, Batches: 4})
	var failed *WorkloadError
	if !errors.As(err, &failed) || failed.Cause.Error() != "signal: killed" || !strings.Contains(failed.Advice, "memory") {
		t.Errorf("error %v", err)
	}
	if len(p.Batches) != 2 {
		t.Errorf("%d batches, want the 2 that were complete", len(p.Batches))
	}
}

func TestRunMatchesNothing(t *testing.T) {
	b := buildSubject(t, "good", "./sub", Bench)
	for _, w := range []Workload{
		{Pattern: "^BenchmarkElsewhere$"},
		{Pattern: "BenchmarkSub/size=11"},
		{Kind: Test, Pattern: "^TestElsewhere$"},
	} {
		_, err := Run(t.Context(), b, w, Order{N: 2})
		var missing *MissingError
		if !errors.As(err, &missing) || !slices.Equal(missing.Labels, []string{"good"}) {
			t.Errorf("%s: error %v, want a *MissingError", w.Pattern, err)
		}
	}
}

func TestRunMatchesSeveral(t *testing.T) {
	b := buildSubject(t, "good", "./sub", Bench)
	_, err := Run(t.Context(), b, Workload{Pattern: "Sub"}, Order{})
	var choice *ChoiceError
	want := "running benchmark Sub: it matches 2 benchmarks, choose one:\n\t^BenchmarkSub$/^size=10$\n\t^BenchmarkSub$/^size=100$"
	if !errors.As(err, &choice) || err.Error() != want {
		t.Errorf("error %v, want\n%s", err, want)
	}
}

// A binary without the probe runtime is a mistake of the caller's, and not
// taken for a benchmark that isn't there.
func TestRunWithoutRuntime(t *testing.T) {
	offline(t)
	dir := tree(t, buildable)
	b, err := goIn(t, dir).Build(t.Context(), Side{Dir: dir, Package: "./vet"}, Workload{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), b, Workload{Pattern: "Vet"}, Order{N: 1}); !errors.Is(err, ErrNoBoard) {
		t.Errorf("error %v, want ErrNoBoard", err)
	}
}

// Nothing of a process is left on disk.
func TestRunCleansUp(t *testing.T) {
	b := buildSubject(t, "good", "./sub", Bench)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	before, _ := filepath.Glob("/dev/shm/pinpoint-*")
	if _, err := Run(t.Context(), b, Workload{Pattern: "^BenchmarkN$"}, Order{N: 1}); err != nil {
		t.Fatal(err)
	}
	after, _ := filepath.Glob("/dev/shm/pinpoint-*")
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 || len(after) > len(before) {
		t.Errorf("left %v and %v, %v", left, after, err)
	}
}

func TestCalibrate(t *testing.T) {
	good, bad := buildSubject(t, "good", "./sub", Bench), buildSubject(t, "bad", "./sub", Bench)
	w := Workload{Pattern: "^BenchmarkLoop$"}
	plan, err := Calibrate(t.Context(), good, bad, w)
	if err != nil {
		t.Fatal(err)
	}
	if plan.GoodN < 1 || plan.GoodN != plan.BadN || plan.Batches < minBatches || plan.BadBench != "BenchmarkLoop" || plan.BadTimed.Func == "" {
		t.Errorf("plan %+v", plan)
	}
	for pattern, want := range map[string]Estimate{"^BenchmarkParallel$": {Shared: true}, "^BenchmarkSetUp$": {Uneven: true}} {
		plan, err = Calibrate(t.Context(), good, bad, Workload{Pattern: pattern})
		if err != nil || plan.Good.Shared != want.Shared || plan.Bad.Uneven != want.Uneven {
			t.Errorf("%s: plan %+v, %v", pattern, plan, err)
		}
	}
	_, err = Calibrate(t.Context(), good, bad, Workload{Kind: Test, Pattern: "^TestSkips$"})
	if !errors.Is(err, ErrSkipped) {
		t.Errorf("error %v, want ErrSkipped", err)
	}
	plan, err = Calibrate(t.Context(), good, bad, Workload{Kind: Test, Pattern: "^TestFine$"})
	if err != nil || plan.GoodN != 1 || plan.BadN != 1 || plan.Batches != 1 {
		t.Errorf("plan %+v, %v", plan, err)
	}
	var missing *MissingError
	if _, err := Calibrate(t.Context(), good, bad, Workload{Pattern: "Nowhere"}); !errors.As(err, &missing) || len(missing.Labels) != 2 {
		t.Errorf("error %v, want both sides to miss it", err)
	}
}

// A side whose calibrating process was held up, once, is not taken for one that is slow: a
// twin of validator's was called seven times as fast so, on a machine that had 17 to do.
func TestCalibrateHeldUp(t *testing.T) {
	t.Setenv("SUBJECT_HELD", filepath.Join(t.TempDir(), "once"))
	good, bad := buildSubject(t, "good", "./sub", Bench), buildSubject(t, "bad", "./sub", Bench)
	plan, err := Calibrate(t.Context(), good, bad, Workload{Pattern: "^BenchmarkHeldUp$", Env: []string{"SUBJECT_HELD"}})
	if err != nil {
		t.Fatal(err)
	}
	if plan.GoodN != plan.BadN || plan.Note != "" {
		t.Errorf("plan %+v", plan)
	}
}

// The order in which the processes ran is the one that the pairs say.
func TestPairs(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("SUBJECT_LOG", log)
	c := Campaign{
		Binaries: []Binary{buildSubject(t, "good", "./sub", Bench), buildSubject(t, "bad", "./sub", Bench)},
		Workload: Workload{Pattern: "^BenchmarkN$", Env: []string{"SUBJECT_LOG"}},
		N:        []int64{2, 3}, Batches: 2, Rand: rand.New(rand.NewPCG(1, 2)),
		once: true, // a disturbed pair would leave its lines twice
	}
	var done []int
	var pairs []Pair
	for _, n := range []int{3, 3} {
		got, err := c.Pairs(t.Context(), n, [][]int{{2}}, func(d int) { done = append(done, d) })
		if err != nil || len(got) != n {
			t.Fatalf("%d pairs, %v", len(got), err)
		}
		pairs = append(pairs, got...)
	}
	var want string
	goodFirst := 0
	for _, p := range pairs {
		if p.GoodFirst {
			goodFirst++
			want += "good\nbad\n"
		} else {
			want += "bad\ngood\n"
		}
		if p.Good.Batches[0].N != 2 || p.Bad.Batches[0].N != 3 || p.Good.Batches[1].Parts[2].Calls != 2 {
			t.Errorf("pair %+v", p)
		}
	}
	if got, err := os.ReadFile(log); string(got) != want || goodFirst != 3 {
		t.Errorf("ran %q, %v; want %q, half of it good first", got, err, want)
	}
	if !slices.Equal(done, []int{1, 2, 3, 1, 2, 3}) {
		t.Errorf("progress %v", done)
	}
}

// A pair without its second process is none.
func TestPairsAreWhole(t *testing.T) {
	b := buildSubject(t, "good", "./sub", Bench)
	missing := b
	missing.Path += ".gone"
	c := Campaign{
		Binaries: []Binary{b, missing}, Workload: Workload{Pattern: "^BenchmarkN$"},
		N: []int64{1, 1}, Batches: 1, Rand: rand.New(rand.NewPCG(1, 2)),
	}
	pairs, err := c.Pairs(t.Context(), 2, nil, nil)
	if len(pairs) != 0 || !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "measuring pair 1 of 2: ") {
		t.Errorf("%d pairs, %v", len(pairs), err)
	}
}
