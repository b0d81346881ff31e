package measure

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// batches of one iteration, with times in ns; negative ones had a collection.
func batches(times ...float64) []harness.Batch {
	var bs []harness.Batch
	for _, ns := range times {
		b := harness.Batch{N: 1, NS: math.Abs(ns), Parts: make([]instrument.Part, instrument.GaugeProbes)}
		if ns < 0 {
			b.Parts[instrument.CollectionsTouched].Calls = 1
		}
		bs = append(bs, b)
	}
	return bs
}

func timesOf(bs []harness.Batch) []float64 {
	var out []float64
	for _, b := range bs {
		out = append(out, b.NS)
	}
	return out
}

func TestChoose(t *testing.T) {
	for _, test := range []struct {
		name   string
		timing Timing
		in     []float64
		wanted int
		want   []float64
		notes  string
	}{
		{"the first tenth warms up", Timing{}, []float64{99, 1, 2, 3}, 3, []float64{1, 2, 3}, ""},
		{"a tenth of all that runs is left out", Timing{}, []float64{99, 98, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 10, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, ""},
		{"two are too few to leave one out", Timing{}, []float64{99, 1}, 2, []float64{99, 1}, ""},
		{"steady, then the next are kept", Timing{Warm: Warmer{CoV: 0.1}},
			[]float64{90, 50, 10, 10.1, 10, 11, 12, 13, 14}, 3, []float64{11, 12, 13}, ""},
		{"never steady keeps the last", Timing{Warm: Warmer{CoV: 0.1, Repeat: 2}},
			[]float64{1, 9, 1, 9, 1, 9}, 2, []float64{1, 9}, "unwarmable"},
		{"collections are left out", Timing{IgnoreGC: true}, []float64{99, 1, -8, 2, -9, 3}, 3, []float64{1, 2, 3}, ""},
		{"until there were as many as are wanted", Timing{IgnoreGC: true},
			[]float64{99, -7, -8, -9, 4, -5, 6}, 3, []float64{4, 5, 6}, "no longer ignored"},
		{"outliers are replaced from the reserve", Timing{Outliers: &Outliers{}},
			[]float64{0, 10, 10.1, 10, 60, 10, 9.9, 10, 10, 10.05, 9.95}, 8, []float64{9.9, 10, 10, 10, 10, 10, 10.05, 10.1}, "outliers"},
		{"slow ones that steady nothing stay", Timing{Outliers: &Outliers{}},
			[]float64{0, 10, 20, 30, 40, 9, 9}, 4, []float64{10, 20, 30, 40}, ""},
	} {
		s := test.timing.choose(batches(test.in...), test.wanted)
		got := timesOf(s.kept)
		if test.timing.Outliers != nil {
			slices.Sort(got)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: kept %v, want %v", test.name, got, test.want)
		}
		if notes := strings.Join(s.notes, "; "); (test.notes == "") != (notes == "") || !strings.Contains(notes, test.notes) {
			t.Errorf("%s: notes %q, want %q", test.name, notes, test.notes)
		}
	}
}

// What is ordered is enough for what is chosen.
func TestOrderIsEnough(t *testing.T) {
	for _, timing := range []Timing{
		{}, {Warm: Warmer{CoV: 0.02}}, {IgnoreGC: true}, {Outliers: &Outliers{}}, {IgnoreGC: true, Outliers: &Outliers{}},
	} {
		for _, wanted := range []int{1, 2, 3, 20, 150} {
			o := timing.order(7, wanted)
			times := slices.Repeat([]float64{5}, o.Batches)
			if timing.IgnoreGC {
				for i := range wanted {
					times[min(i*2, len(times)-1)] = -5
				}
			}
			if got := len(timing.choose(batches(times...), wanted).kept); got != wanted {
				t.Errorf("%+v: %d batches of %d are kept, want %d", timing, got, o.Batches, wanted)
			}
		}
	}
}

func TestAggregators(t *testing.T) {
	bs := batches(8, 1, 2, 3, 4, 5, 6, 7)
	bs[0].N = 2
	for name, want := range map[string]float64{"mean": 4, "median": 4, "min": 1, "fast": 1} {
		a, err := ParseAggregator(name)
		if got := a.of(bs); got != want || err != nil {
			t.Errorf("%v: %v, %v, want %v", name, got, err, want)
		}
	}
}

func TestParseMeasurers(t *testing.T) {
	ms, err := ParseMeasurers("PeriodicInstantiation=9,gc+IgnoringGC, Allocs,Bytes,MemoryFootprint,PeakRSS,MethodInvocationCount=/a{1,2}/", Timing{Aggregate: Min})
	if err != nil {
		t.Fatal(err)
	}
	if len(ms) != 6 {
		t.Fatalf("%d measurers", len(ms))
	}
	runs := merge(ms)
	var keys []string
	for _, r := range runs {
		keys = append(keys, r.key)
	}
	if len(runs) != 4 || keys[1] != "allocations" || keys[2] != "memory" {
		t.Errorf("kinds of processes: %q", keys)
	}
	for _, bad := range []string{"", "Speed", "Allocs,Allocs", "Allocs=1", "PeriodicInstantiation=0,gc", "PeriodicInstantiation=9", "AbsoluteNoise=1ns", "FieldAccess=n", "MethodInvocationCount=", "BoxingCount=int", "MethodInvocationCount=/(/"} {
		if _, err := ParseMeasurers(bad, Timing{}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestParseTiming(t *testing.T) {
	got, err := parseTiming("PeriodicInstantiation=9,gc+IgnoringGC", Timing{Aggregate: Min})
	want := Timing{IgnoreGC: true, Frequency: 9, Aggregate: Min}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if o := got.order(100, 10); o.N != 9 {
		t.Errorf("batches of %d", o.N)
	}
}

func TestMatcher(t *testing.T) {
	const pkg = "example.com/m/codec"
	for _, test := range []struct {
		matcher, name string
		want          bool
	}{
		{"Encode", pkg + ".Encode", true},
		{"Encode", pkg + ".(*T).Encode", true},
		{"Encode", pkg + ".ReEncode", false},
		{"codec.Encode", pkg + ".Encode", true},
		{"(*T).Encode", pkg + ".(*T).Encode", true},
		{"(*T).Encode", pkg + ".(*BigT).Encode", false},
		{"(*T)", pkg + ".(*T).Encode", true},
		{"(*T)", pkg + ".T.Encode", false},
		{"(T)", pkg + ".T.Encode", true},
		{"(*T)", pkg + ".Encode", false},
		{"/Enc|Dec/", pkg + ".Decode", true},
		{"/^Enc/", pkg + ".Encode", false},
		{"pkg:" + pkg, pkg + ".Encode", true},
		{"pkg:example.com/m", pkg + ".Encode", false},
		{"pkg:example.com/m/...", pkg + ".Encode", true},
		{"(*T)&/code$/", pkg + ".(*T).Encode", true},
		{"(*T)&/code$/", pkg + ".(*T).Len", false},
		{"impl:io.Reader&Len", pkg + ".(*T).Len", true},
	} {
		m, err := ParseMatcher(test.matcher)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Match(test.name, pkg); got != test.want {
			t.Errorf("%s matches %s: %v", test.matcher, test.name, got)
		}
	}
}

// The collector's time of batches that saw no collection is no measurement of it.
func TestNoCollection(t *testing.T) {
	ms, err := ParseMeasurers("GCTime,LiveHeap", Timing{})
	if err != nil {
		t.Fatal(err)
	}
	for took, want := range map[float64]int{0: 1, 3: 0} {
		p := harness.Process{Batches: []harness.Batch{{N: 10, NS: 5, Reported: map[string]float64{"gc-ns/op": took, "live-B": 0}}}}
		for i, m := range ms {
			if values, notes := m.run.read(reading{process: p, wanted: 1}); len(values) != 1 || i == 0 && len(notes) != want || i == 1 && len(notes) > 0 {
				t.Errorf("%s of %v ns: %v, %q", m.Name, took, values, notes)
			}
		}
	}
}
