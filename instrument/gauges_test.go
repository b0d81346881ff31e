package instrument

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

const gaugesProgram = `package subject

import (
	"runtime"
	"strconv"
	"testing"
)

var kept []byte

func BenchmarkKeep(b *testing.B) {
	for i := 0; i < b.N; i++ {
		kept = make([]byte, 8<<20)
		for i := range kept {
			kept[i] = 1 // memory that nobody wrote to is not resident
		}
	}
}

func BenchmarkCollect(b *testing.B) {
	for i := 0; i < b.N; i++ {
		runtime.GC()
	}
}

func BenchmarkNothing(b *testing.B) {}

var box any

type wide struct{ a, b int }

// BenchmarkBox converts 6 values that allocate and some that don't; what it does
// while its timer stands is not counted.
func BenchmarkBox(b *testing.B) {
	for i := 0; i < b.N; i++ {
		n := i + 1000
		box = n
		box = int32(n)
		box = uint16(n)
		box = wide{n, n}
		box = strconv.Itoa(n)
		box = []int{n}
		box = byte(n)
		box = i & 0xFF
		box = &kept
		box = "constant"
		b.StopTimer()
		box = n
		b.StartTimer()
	}
}
`

// gauged builds the subject with what add adds to its overlay, and gives the records of a benchmark's
// batches of n.
func gauged(t *testing.T, add func(*Overlay, string) error) func(bench string, n, batches int) []Record {
	t.Helper()
	goroot := gorootOf(t)
	var o Overlay
	if err := o.AddRuntime(goroot); err != nil {
		t.Fatal(err)
	}
	if err := add(&o, goroot); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs(filepath.Join("testdata", "subject"))
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Add(map[string][]byte{filepath.Join(dir, "gauges_test.go"): []byte(gaugesProgram)}); err != nil {
		t.Fatal(err)
	}
	binary := buildSubjectWith(t, o.Files)
	return func(bench string, n, batches int) []Record {
		board, err := CreateBoard(filepath.Join(t.TempDir(), "board"), BoardSpec{Probes: len(BoxClasses), On: [][]int{{0, 1, 2, 3, 4, 5}}, Records: 100})
		if err != nil {
			t.Fatal(err)
		}
		defer board.Close()
		cmd := exec.Command(binary, "-test.run=^$", "-test.bench=^Benchmark"+bench+"$", "-test.benchtime="+strconv.Itoa(n)+"x", "-test.count="+strconv.Itoa(batches))
		cmd.ExtraFiles = append(cmd.ExtraFiles, board.File())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return board.Records()
	}
}

func TestGaugeMemory(t *testing.T) {
	run := gauged(t, func(o *Overlay, goroot string) error { return o.AddGauge(goroot, GaugeMemory) })
	p := run("Keep", 1, 1)[0].Parts
	if grew := p[LiveAfter].Calls - p[LiveBefore].Calls; grew < 8<<20 || grew > 9<<20 {
		t.Errorf("8 MiB are kept, the live heap grew by %d", grew)
	}
	if peak := p[PeakResident].Calls; peak < p[LiveAfter].Calls && peak != 0 {
		t.Errorf("%d resident, %d live", peak, p[LiveAfter].Calls)
	}
	p = run("Nothing", 1, 1)[0].Parts
	if grew := p[LiveAfter].Calls - p[LiveBefore].Calls; grew < -1<<16 || grew > 1<<16 {
		t.Errorf("nothing is kept, the live heap grew by %d", grew)
	}
}

// What the collector takes and what stays reachable is reported as figures are.
func TestReportedGauges(t *testing.T) {
	run := gauged(t, func(o *Overlay, goroot string) error { return o.AddGauge(goroot, GaugeGCTime) })
	if took := run("Collect", 20, 1)[0].Reported["gc-ns/op"]; took <= 0 {
		t.Errorf("a collection took %v ns", took)
	}
	run = gauged(t, func(o *Overlay, goroot string) error { return o.AddGauge(goroot, GaugeLive) })
	live := run("Keep", 1, 1)[0].Reported["live-B"] - run("Nothing", 1, 1)[0].Reported["live-B"]
	if live < 8<<20-1<<16 || live > 9<<20 {
		t.Errorf("8 MiB are kept, %v are live", live)
	}
}

// All packages are built anew for it, which takes a while the first time.
func TestGaugeCollections(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	run := gauged(t, func(o *Overlay, goroot string) error { return o.AddGauge(goroot, GaugeCollections) })
	for _, r := range run("Collect", 5, 3) {
		if want := r.N; r.Parts[CollectionsEnded].Calls != want || r.Parts[CollectionsTouched].Calls != 1 {
			t.Errorf("%d collections in a batch, %d and %d counted", want, r.Parts[CollectionsEnded].Calls, r.Parts[CollectionsTouched].Calls)
		}
	}
	for _, r := range run("Nothing", 5, 3) {
		if r.Parts[CollectionsEnded].Calls != 0 || r.Parts[CollectionsTouched].Calls != 0 {
			t.Errorf("no collection, %+v counted", r.Parts)
		}
	}
}

// Again all packages are built anew.
func TestBoxes(t *testing.T) {
	if os.Getenv("PINPOINT_THOROUGH") == "" {
		t.Skip("builds the standard library; set PINPOINT_THOROUGH")
	}
	run := gauged(t, (*Overlay).AddBoxes)
	for _, r := range run("Box", 50, 3) {
		for class, name := range BoxClasses {
			// Package testing converts something itself now and then.
			if got := r.Parts[class].Calls; got < r.N || got > r.N+3 {
				t.Errorf("%d conversions of %s in %d operations", got, name, r.N)
			}
		}
	}
}
