package instrument

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// meteredBench builds the subject with another clock and runs one benchmark of
// it on a board.
func meteredBench(t *testing.T, m Meter, more map[string][]byte, pattern, benchtime string) *Board {
	t.Helper()
	files, err := runtimeFiles(gorootOf(t), m)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range more {
		files[name] = data
	}
	b := boardFor(t, BoardSpec{Probes: 4, On: [][]int{{0, 2, 3}}})
	binary := buildSubjectWith(t, files)
	if out, code := runOn(t, b, binary, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime="+benchtime); code != 0 {
		t.Fatalf("exit status %d\n%s", code, out)
	}
	return b
}

// A process can't use more CPU time than its processors have, nor a part more
// than the whole.
func TestMeterCPU(t *testing.T) {
	b := meteredBench(t, MeterCPU, nil, "^BenchmarkSpin$", "20x")
	if kind := b.Clock().Kind; kind != "cpu" {
		t.Errorf("clock %q", kind)
	}
	for _, r := range b.Records() {
		if r.Metered <= 0 || r.Metered > 1.01*r.NS*float64(runtime.NumCPU()) {
			t.Errorf("%.0f ns of CPU in %.0f ns", r.Metered, r.NS)
		}
		if part := r.Parts[3].NS; part <= 0 || part > r.Metered {
			t.Errorf("a part of %.0f ns in %.0f ns of CPU", part, r.Metered)
		}
	}
}

// The clock of calls ticks once for each function that is entered, in a part as
// in the whole.
func TestMeterCalls(t *testing.T) {
	name, err := filepath.Abs(filepath.Join("testdata", "subject", "subject.go"))
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	counted, err := CountEntries(name, src)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(counted), "\n") != strings.Count(string(src), "\n") {
		t.Error("lines moved")
	}
	b := meteredBench(t, MeterCalls, map[string][]byte{name: counted}, "^BenchmarkN$", "50x")
	for _, r := range b.Records() {
		// Work and Off, and step twice, once of it in the part.
		if n := float64(r.N); r.Metered != 4*n || r.Parts[0].NS != n {
			t.Errorf("%v functions entered in %d iterations, %v of them in the part", r.Metered, r.N, r.Parts[0].NS)
		}
	}
	if c := b.Clock(); c.Kind != "calls" || c.PairCost != 0 || c.OutsideCost != 0 {
		t.Errorf("clock %+v", c)
	}
}

func TestCountEntries(t *testing.T) {
	src := `package p

func f() { g(func() int { return 1 }) }

func g(h func() int) {
	h()
}

//go:nosplit
func n() {}

func declared()
`
	want := `package p; import _pinpointCount "debug"

func f() { _pinpointCount.Count(); g(func() int { _pinpointCount.Count(); return 1 }) }

func g(h func() int) { _pinpointCount.Count();
	h()
}

//go:nosplit
func n() {}

func declared()
`
	out, err := CountEntries("p.go", []byte(src))
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := CountEntries("q.go", []byte("package q\n\nvar x int\n")); err != nil || string(out) != "package q\n\nvar x int\n" {
		t.Errorf("nothing to count: %v\n%s", err, out)
	}
	if _, err := CountEntries("r.go", []byte("package r; func {")); err == nil {
		t.Error("a file that doesn't parse was counted")
	}
}
