package instrument

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pinpoint-go/pinpoint/instrument/probe"
)

// The subject of these tests is testdata/subject, built once with the runtime's
// overlay and run on a board.

func gorootOf(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go command: ", err)
	}
	return strings.TrimSpace(string(out))
}

// buildSubject builds the subject's test binary with some more files replaced.
func buildSubject(t *testing.T, more map[string][]byte, flags ...string) string {
	t.Helper()
	files, err := runtimeFiles(gorootOf(t), MeterTime)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range more {
		files[name] = data
	}
	return buildSubjectWith(t, files, flags...)
}

// buildSubjectWith builds it with all the files of an overlay, the runtime among
// them.
func buildSubjectWith(t *testing.T, files map[string][]byte, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	o := Overlay{Files: files}
	json, err := o.Write(filepath.Join(dir, "overlay"))
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "subject.test")
	args := append([]string{"test", "-c", "-overlay", json, "-vet=off", "-o", binary}, flags...)
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir = filepath.Join("testdata", "subject")
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return binary
}

var subject struct {
	sync.Mutex
	binary []byte
}

// builtSubject returns the plain binary. It is kept in memory, for the
// directory of the test that built it goes.
func builtSubject(t *testing.T) string {
	t.Helper()
	subject.Lock()
	defer subject.Unlock()
	if subject.binary == nil {
		data, err := os.ReadFile(buildSubject(t, nil))
		if err != nil {
			t.Fatal(err)
		}
		subject.binary = data
	}
	path := filepath.Join(t.TempDir(), "subject.test")
	if err := os.WriteFile(path, subject.binary, 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

func boardFor(t *testing.T, spec BoardSpec) *Board {
	t.Helper()
	b, err := CreateBoard(filepath.Join(t.TempDir(), "board"), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if b.Err() != nil {
			t.Error(b.Err())
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// runOn runs a subject on a board and returns its output and exit status.
func runOn(t *testing.T, b *Board, binary string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = filepath.Join("testdata", "subject")
	cmd.ExtraFiles = []*os.File{b.File()}
	cmd.Env = append(os.Environ(), "BOARD="+b.File().Name())
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if !b.Opened() {
		t.Errorf("%v did not open the board\n%s", cmd, out.Bytes())
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// bench runs benchmarks of the subject with all four probes on but probe 1.
func bench(t *testing.T, pattern, benchtime string, flags ...string) *Board {
	t.Helper()
	b := boardFor(t, BoardSpec{Probes: 4, On: [][]int{{0, 2, 3}}})
	args := append([]string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + benchtime}, flags...)
	if out, code := runOn(t, b, builtSubject(t), args...); code != 0 {
		t.Fatalf("exit status %d\n%s", code, out)
	}
	return b
}

// wantBatches compares the benchmarks, their N and the calls that one probe
// counted.
func wantBatches(t *testing.T, b *Board, id int, want []batchCalls) {
	t.Helper()
	var got []batchCalls
	for _, r := range b.Records() {
		got = append(got, batchCalls{r.Bench, r.N, r.Parts[id].Calls})
		if r.NS <= 0 {
			t.Errorf("%s took %v ns", r.Bench, r.NS)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("batches with calls of probe %d:\n got %v\nwant %v", id, got, want)
	}
}

type batchCalls struct {
	bench    string
	n, calls int64
}

func TestBatches(t *testing.T) {
	b := bench(t, "^BenchmarkN$", "500x", "-test.count=2", "-test.cpu=1")
	wantBatches(t, b, 0, []batchCalls{
		{"BenchmarkN", 1, 1}, {"BenchmarkN", 500, 500}, {"BenchmarkN", 500, 500},
	})
	for _, r := range b.Records() {
		if r.Parts[1] != (Part{}) {
			t.Errorf("probe that is off counted %v", r.Parts[1])
		}
		if r.Parts[0].NS <= 0 || r.Parts[0].NS > r.NS {
			t.Errorf("part %v ns of %v", r.Parts[0].NS, r.NS)
		}
		if r.Allocs < r.N || r.Bytes < 100*r.N {
			t.Errorf("%d allocations of %d bytes in %d iterations", r.Allocs, r.Bytes, r.N)
		}
	}
	if got := benchmarksOf(b); !slices.Equal(got, []string{"BenchmarkN"}) {
		t.Errorf("benchmarks %q", got)
	}
}

// Masks are in force in turn, and a record says which one was: the first is that of
// the single iteration that package testing begins with.
func TestMasksGoRound(t *testing.T) {
	b := boardFor(t, BoardSpec{Probes: 4, On: [][]int{nil, {0}, {0, 2, 3}}})
	args := []string{"-test.run=^$", "-test.bench=^BenchmarkN$", "-test.benchtime=500x", "-test.count=6"}
	if out, code := runOn(t, b, builtSubject(t), args...); code != 0 {
		t.Fatalf("exit status %d\n%s", code, out)
	}
	wantBatches(t, b, 0, []batchCalls{
		{"BenchmarkN", 1, 0}, {"BenchmarkN", 500, 500}, {"BenchmarkN", 500, 500},
		{"BenchmarkN", 500, 0}, {"BenchmarkN", 500, 500}, {"BenchmarkN", 500, 500}, {"BenchmarkN", 500, 0},
	})
	for i, r := range b.Records() {
		if r.Mask != i%3 {
			t.Errorf("batch %d had mask %d", i, r.Mask)
		}
		if r.Mask < 2 && r.Parts[2] != (Part{}) {
			t.Errorf("batch %d: probe that is off counted %v", i, r.Parts[2])
		}
	}
}

// Batches are repeated without what package testing does before each; what it
// finds the count for itself, it runs as often as it is told.
func TestRepeatedBatches(t *testing.T) {
	once := bench(t, "^BenchmarkN$", "1x", "-test.count=3")
	wantBatches(t, once, 0, []batchCalls{{"BenchmarkN", 1, 1}, {"BenchmarkN", 1, 1}, {"BenchmarkN", 1, 1}})
	bench(t, "^BenchmarkForced", "2x", "-test.count=4")
	sub := bench(t, "^BenchmarkSub$/^two$", "5x", "-test.count=3")
	wantBatches(t, sub, 0, []batchCalls{
		{"BenchmarkSub/two", 1, 1}, {"BenchmarkSub/two", 5, 5}, {"BenchmarkSub/two", 5, 5}, {"BenchmarkSub/two", 5, 5},
	})
	timed := bench(t, "^BenchmarkN$", "1us", "-test.count=3")
	singles := 0
	for _, r := range timed.Records() {
		if r.N == 1 {
			singles++
		}
	}
	if singles != 3 {
		t.Errorf("%d starts of a benchmark whose count is open, want 3: %v", singles, timed.Records())
	}
	if loop := bench(t, "^BenchmarkLoop$", "7x", "-test.count=3"); len(loop.Records()) > 0 { // b.Loop is of Go 1.24
		wantBatches(t, loop, 0, []batchCalls{{"BenchmarkLoop", 7, 7}, {"BenchmarkLoop", 7, 7}, {"BenchmarkLoop", 7, 7}})
	}
}

// What a benchmark reports itself is in the record of its batch, and in no other.
func TestReported(t *testing.T) {
	records := bench(t, "^BenchmarkReports$", "7x", "-test.count=2").Records()
	if len(records) != 3 {
		t.Fatalf("%d records, want 3", len(records))
	}
	for _, r := range records {
		_, seven := r.Reported["sevens"]
		if r.Reported["hits/op"] != float64(r.N)/2 || !(r.Reported["MB/s"] > 0) || seven != (r.N == 7) || r.Reported["ns/op"] != 0 {
			t.Errorf("batch of %d reports %v", r.N, r.Reported)
		}
	}
	many := bench(t, "^BenchmarkReports$", "9x").Records()
	if n := len(many[len(many)-1].Reported); n != probe.MostFigures {
		t.Errorf("%d figures of more than there is room for", n)
	}
	if r := bench(t, "^BenchmarkN$", "3x").Records()[0]; r.Reported != nil {
		t.Errorf("a benchmark that reports nothing reports %v", r.Reported)
	}
}

func TestSubBenchmarks(t *testing.T) {
	b := bench(t, "^BenchmarkSub$", "50x")
	wantBatches(t, b, 0, []batchCalls{
		{"BenchmarkSub/one", 1, 1}, {"BenchmarkSub/one", 50, 50},
		{"BenchmarkSub/two", 1, 1}, {"BenchmarkSub/two", 50, 50},
	})
	if got := benchmarksOf(b); !slices.Equal(got, []string{"BenchmarkSub/one", "BenchmarkSub/two"}) {
		t.Errorf("benchmarks %q", got)
	}
	wantPlace(t, b.Timed(), "example.com/subject.BenchmarkSub.func1", "b.Run(name")
}

func TestLoop(t *testing.T) {
	b := bench(t, "^BenchmarkLoop$", "300x")
	if len(b.Records()) == 0 {
		t.Skip("this Go has no b.Loop")
	}
	wantBatches(t, b, 0, []batchCalls{{"BenchmarkLoop", 300, 300}})
	if spin := b.Records()[0].Parts[3]; spin.Calls != 0 {
		t.Errorf("counted %v outside the loop", spin)
	}
}

// A region around ResetTimer, StopTimer and StartTimer has only timed time.
func TestTimer(t *testing.T) {
	b := bench(t, "^BenchmarkTimer$", "5x")
	wantBatches(t, b, 0, []batchCalls{{"BenchmarkTimer", 1, 1}, {"BenchmarkTimer", 5, 5}})
	for _, r := range b.Records() {
		if r.Parts[2].Calls != 1 || r.Parts[3].Calls != 0 {
			t.Errorf("counted %v and %v, want one call and none", r.Parts[2], r.Parts[3])
		}
		if r.Parts[2].NS > r.NS {
			t.Errorf("%v ns of %v timed", r.Parts[2].NS, r.NS)
		}
	}
}

// The two clocks agree: a region that is nearly all of a batch takes nearly all
// of its time, and never more.
func TestTicksAreNanoseconds(t *testing.T) {
	for _, r := range bench(t, "^BenchmarkSpin$", "20x").Records() {
		if part := r.Parts[3].NS; part > r.NS*1.0001 || part < float64(r.N)*1e6*0.999 {
			t.Errorf("%d regions of 1 ms took %v ns, the batch %v", r.N, part, r.NS)
		}
	}
}

func TestParallel(t *testing.T) {
	b := bench(t, "^BenchmarkParallel$", "20000x")
	wantBatches(t, b, 0, []batchCalls{{"BenchmarkParallel", 1, 1}, {"BenchmarkParallel", 20000, 20000}})
	wantPlace(t, b.Timed(), "example.com/subject.BenchmarkParallel", "func BenchmarkParallel(")
	wantPlace(t, b.Parallel(), "example.com/subject.BenchmarkParallel.func1", "b.RunParallel(")
}

// Processors beyond the board's stripes share one.
func TestMoreProcessorsThanStripes(t *testing.T) {
	b := bench(t, "^BenchmarkParallel$", "100000x", fmt.Sprintf("-test.cpu=%d", 4*max(8, runtime.NumCPU())))
	wantBatches(t, b, 0, []batchCalls{{"BenchmarkParallel", 1, 1}, {"BenchmarkParallel", 100000, 100000}})
}

func TestLeftEarly(t *testing.T) {
	b := bench(t, "^BenchmarkGoexit$", "100x")
	wantBatches(t, b, 2, []batchCalls{{"BenchmarkGoexit", 1, 1}, {"BenchmarkGoexit", 100, 100}})
}

func TestPlaces(t *testing.T) {
	wantPlace(t, bench(t, "^BenchmarkGeneric$", "1x").Timed(), "example.com/subject.generic", "func generic[")
	wantPlace(t, bench(t, "^BenchmarkLeaf$", "1x").Timed(), "example.com/subject.BenchmarkLeaf", "func BenchmarkLeaf(")
	if got := bench(t, "^BenchmarkLeaf$", "1x").Parallel(); got != (Place{}) {
		t.Errorf("Parallel = %v without a call of RunParallel", got)
	}
}

// wantPlace wants a function, and text in the line where it begins.
func wantPlace(t *testing.T, p Place, name, text string) {
	t.Helper()
	src, err := os.ReadFile(p.File)
	if err != nil {
		t.Errorf("place %v: %v", p, err)
		return
	}
	lines := strings.Split(string(src), "\n")
	if p.Func != name || p.Line < 1 || p.Line > len(lines) || !strings.Contains(lines[p.Line-1], text) {
		t.Errorf("place %v, want %s at a line with %s", p, name, text)
	}
}

func TestFailedBatchHasNoRecord(t *testing.T) {
	b := boardFor(t, BoardSpec{Probes: 4})
	if _, code := runOn(t, b, builtSubject(t), "-test.run=^$", "-test.bench=Fail"); code == 0 {
		t.Error("exit status 0")
	}
	if got := b.Records(); len(got) != 0 {
		t.Errorf("records %v", got)
	}
}

// A pattern that matches nothing leaves the parent of all benchmarks childless.
func TestNoBenchmarkHasNoRecord(t *testing.T) {
	if got := bench(t, "^None$", "1x").Records(); len(got) != 0 {
		t.Errorf("records %v", got)
	}
}

func TestFullBoard(t *testing.T) {
	b := boardFor(t, BoardSpec{Probes: 4, Records: 3})
	runOn(t, b, builtSubject(t), "-test.run=^$", "-test.bench=^BenchmarkSub$", "-test.benchtime=5x")
	if got := len(b.Records()); got != 3 {
		t.Errorf("%d records, want 3", got)
	}
	if got := b.header().Lost; got != 1 {
		t.Errorf("%d lost, want 1", got)
	}
}

func TestTotals(t *testing.T) {
	for _, c := range []struct {
		run  string
		code int
		want int64
	}{
		{"TestWork", 0, 20000},
		{"TestExit", 3, 1},
		{"TestKill", -1, 1},
		{"TestGrandchild", 0, 1},
		{"TestAllocs", 0, 101},
	} {
		b := boardFor(t, BoardSpec{Probes: 2, On: [][]int{{0}}})
		out, code := runOn(t, b, builtSubject(t), "-test.run=^"+c.run+"$")
		if code != c.code {
			t.Errorf("%s: exit status %d, want %d\n%s", c.run, code, c.code, out)
		}
		got := b.Totals()
		if got[0].Calls != c.want || got[0].NS <= 0 || got[1] != (Part{}) {
			t.Errorf("%s: totals %v, want %d calls of the first", c.run, got, c.want)
		}
	}
}

func TestClock(t *testing.T) {
	b := boardFor(t, BoardSpec{Probes: 4})
	if got := b.Clock(); got.Kind != "" {
		t.Errorf("clock %+v before a child came", got)
	}
	runOn(t, b, builtSubject(t), "-test.run=^$")
	c := b.Clock()
	if c.Kind == "" || c.Resolution <= 0 || c.ReadCost <= 0 || c.PairCost < 0 || c.OutsideCost < 0 || c.PairCost+c.OutsideCost <= 0 {
		t.Errorf("clock %+v", c)
	}
	if got := b.Totals(); !reflect.DeepEqual(got, make([]Part, 4)) {
		t.Errorf("calibrating counted %v", got)
	}
}

// Without a board everything runs as ever, whatever is on descriptor 3.
func TestNoBoard(t *testing.T) {
	other, err := os.Create(filepath.Join(t.TempDir(), "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	text := strings.Repeat("no board\n", 1000)
	if _, err := other.WriteString(text); err != nil {
		t.Fatal(err)
	}
	for _, files := range [][]*os.File{nil, {other}} {
		cmd := exec.Command(builtSubject(t), "-test.run=TestWork|TestAllocs", "-test.bench=N$|Loop|Sub|Parallel", "-test.benchtime=3x")
		cmd.ExtraFiles = files
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if got, err := os.ReadFile(other.Name()); err != nil || string(got) != text {
		t.Errorf("file on descriptor 3 has changed: %v", err)
	}
}

func TestRaceDetector(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with -race")
	}
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(out)) != "1" {
		t.Skip("-race needs cgo")
	}
	binary := buildSubject(t, nil, "-race")
	b := boardFor(t, BoardSpec{Probes: 4, On: [][]int{{0, 2, 3}}})
	out, code := runOn(t, b, binary, "-test.run=TestWork", "-test.bench=N$|Parallel|Goexit", "-test.benchtime=1000x")
	if code != 0 || strings.Contains(out, "DATA RACE") {
		t.Errorf("exit status %d\n%s", code, out)
	}
	for _, r := range b.Records() {
		if r.Parts[0].Calls+r.Parts[2].Calls != r.N {
			t.Errorf("%s counted %v in %d iterations", r.Bench, r.Parts, r.N)
		}
	}
}

// Package strings can import the runtime, so all that may import strings can.
func TestProbedStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	file := filepath.Join(gorootOf(t), "src", "strings", "strings.go")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	probed := replaceOnce(t, src, "package strings\n", "package strings; import _pinpoint \"debug\"\n")
	probed = replaceOnce(t, probed, "func Fields(s string) []string {\n",
		"func Fields(s string) []string { var t [1]_pinpoint.Mark; _pinpoint.Enter(&t[0], 3, 0); defer _pinpoint.Leave(&t[0], 3)\n")
	binary := buildSubject(t, map[string][]byte{file: probed})
	b := boardFor(t, BoardSpec{Probes: 4, On: [][]int{{3}}})
	if out, code := runOn(t, b, binary, "-test.run=^$", "-test.bench=Fields", "-test.benchtime=70x"); code != 0 {
		t.Fatalf("exit status %d\n%s", code, out)
	}
	wantBatches(t, b, 3, []batchCalls{{"BenchmarkFields", 1, 1}, {"BenchmarkFields", 70, 70}})
}

func replaceOnce(t *testing.T, src []byte, old, new string) []byte {
	t.Helper()
	if bytes.Count(src, []byte(old)) != 1 {
		t.Fatalf("%q is not once in the source", old)
	}
	return bytes.Replace(src, []byte(old), []byte(new), 1)
}

func TestBoardRefuses(t *testing.T) {
	if _, err := CreateBoard(filepath.Join(t.TempDir(), "board"), BoardSpec{Probes: 1 << 16}); err == nil {
		t.Error("a board of 65536 probes")
	}
	b := boardFor(t, BoardSpec{Probes: 4})
	if _, err := CreateBoard(b.File().Name(), BoardSpec{}); err == nil {
		t.Error("a second board in the same file")
	}
	for _, id := range []int{-1, 4} {
		name := filepath.Join(t.TempDir(), "board")
		if _, err := CreateBoard(name, BoardSpec{Probes: 4, On: [][]int{{0}, {id}}}); err == nil {
			t.Errorf("probe %d of 4 switched on", id)
		}
		if _, err := os.Stat(name); err == nil {
			t.Error("a board that was refused is left")
		}
	}
	if runtime.GOOS == "linux" && b.Opened() {
		t.Error("opened without a child")
	}
}

// benchmarksOf are the names of the benchmarks that have records, in order of their
// first.
func benchmarksOf(b *Board) []string {
	var names []string
	for _, r := range b.Records() {
		if !slices.Contains(names, r.Bench) {
			names = append(names, r.Bench)
		}
	}
	return names
}
