package measure

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/stats"
)

// made is a result without a measurement: two revisions of a benchmark, of which the
// second takes a tenth longer, in ten processes.
func made() *Result {
	r := &Result{Config: []Setting{{"goos", "linux"}, {"cpu", "a processor with a long name, 2.00GHz"}, {"date", "2026-11-21T10:00:00Z"}}}
	for i, rev := range []string{"v1", "v2"} {
		r.Scenarios = append(r.Scenarios, Scenario{
			Rev: backup.Revision{Name: rev, Commit: strings.Repeat(rev[1:], 40)}, Bench: "BenchmarkX/size=10",
			Settings: []Setting{{"MODE", "a b"}}, CPUs: 2,
		})
		for p := range 10 {
			x := (1000 + 5*float64(p%3)) * (1 + 0.1*float64(i))
			r.Processes = append(r.Processes,
				Process{Scenario: i, Kind: "time", Number: p, N: 50, Values: []Value{{Measurer: "RunningTime", Unit: "ns/op", Value: x}, {Measurer: "CPUTime", Unit: "cpu-ns/op", Value: 2 * x}}},
				Process{Scenario: i, Kind: "allocations", Number: p, N: 10, Counted: true, Values: []Value{{Measurer: "Allocs", Unit: "allocs/op", Value: float64(3 + i)}}})
		}
	}
	return r
}

func TestScenarios(t *testing.T) {
	var got []string
	for _, s := range settings([]Param{{"A", []string{"1", "2"}}, {"B", []string{"x", ""}}}) {
		got = append(got, Scenario{Bench: "BenchmarkX", Settings: s, CPUs: 1}.Name())
	}
	want := []string{"BenchmarkX/A=1/B=x", "BenchmarkX/A=1/B=", "BenchmarkX/A=2/B=x", "BenchmarkX/A=2/B="}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if n := len(settings(nil)); n != 1 {
		t.Errorf("%d settings of no parameters", n)
	}
}

// Benchstat, the real one, reads what is written and finds the difference.
func TestBenchstat(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out.txt")
	var b bytes.Buffer
	if err := made().WriteBenchfmt(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "benchstat", "-col", "rev", "-ignore", "commit", name)
	cmd.Env = append(os.Environ(), "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"cpu: a processor with a long name, 2.00GHz", "X/size=10/MODE=a_b-2", "1.005µ ± 0%", "1.106µ ± 0%", "+10.00% (p=0.000 n=10)", "allocs/op", "33.33%",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestTable(t *testing.T) {
	r := made()
	r.warn("a remark that is so long that it would not fit into the eighty columns that a terminal has")
	var b strings.Builder
	if err := r.WriteText(&b, 0.95); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(line) - 1; n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{
		"BenchmarkX/size=10/MODE=a_b-2  (v1)\n", "1.004 µs/op          ± 0.3 %   [1.001, 1.008]  n=10\n",
		"2.009 µs/op cpu", "3 allocs/op          exact: 10 of 10 agree\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// Many scenarios of one quantity are a line each.
func TestCompactTable(t *testing.T) {
	r := &Result{}
	for i, bench := range []string{"BenchmarkSearch/item=random/n=1", "BenchmarkB", "BenchmarkC"} {
		r.Scenarios = append(r.Scenarios, Scenario{Rev: backup.Revision{Name: "HEAD"}, Bench: bench, CPUs: 1})
		for p := range 4 {
			r.Processes = append(r.Processes, Process{Scenario: i, Number: p, N: 1, Values: []Value{{Measurer: "RunningTime", Unit: "ns/op", Value: 123456 + float64(10000*p)}}})
		}
	}
	var b strings.Builder
	if err := r.WriteText(&b, 0.95); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "RunningTime  (HEAD)\n  Search/item=random/n=1  138.5 µs/op  ± 14.8 %  [117.9, 159.0]  n=4\n  B ") {
		t.Error(b.String())
	}
}

func TestExact(t *testing.T) {
	for _, test := range []struct {
		m    Metric
		want bool
	}{
		{Metric{Counted: true, Values: []float64{2, 2, 2}}, true},
		{Metric{Counted: true, Values: []float64{2, 2}}, false},
		{Metric{Counted: true, Values: []float64{2, 2, 2.01}}, false},
		{Metric{Values: []float64{2, 2, 2}}, false},
	} {
		if test.m.Exact() != test.want {
			t.Errorf("%+v", test.m)
		}
	}
}

func TestQuantity(t *testing.T) {
	for _, test := range []struct {
		x          float64
		unit, want string
	}{
		{1234, "ns/op", "1.234 µs/op"}, {0.99999, "ns/op", "1.000 ns/op"}, {2.5e9, "ns/process", "2.500 s/process"},
		{3_200_000, "live-heap-B", "3.200 MB live-heap"}, {24, "B/op", "24 B/op"}, {5, "boxings/op", "5 boxings/op"},
		{0.000006054, "GCs/op", "0.000006054 GCs/op"}, {12, "GCs/op", "12 GCs/op"}, {12345678, "calls/op", "12345678 calls/op"},
	} {
		if got := Quantity(test.x, test.unit); got != test.want {
			t.Errorf("%v %s: %q, want %q", test.x, test.unit, got, test.want)
		}
	}
}

// series of k revisions that drift together, round by round, by a factor of two.
func drifting(factors ...float64) *Result {
	r := &Result{}
	for i, f := range factors {
		r.Scenarios = append(r.Scenarios, Scenario{Rev: backup.Revision{Name: string(rune('a' + i))}, Bench: "BenchmarkX", CPUs: 1})
		for p := range 12 {
			noise := 1 + 0.01*math.Sin(float64(7*p+3*i))
			x := 100 * f * noise * (1 + math.Mod(0.37*float64(p), 1))
			r.Processes = append(r.Processes, Process{Scenario: i, Number: p, N: 1, Values: []Value{{Measurer: "RunningTime", Unit: "ns/op", Value: x}}})
		}
	}
	return r
}

func TestCompareSeveral(t *testing.T) {
	same, slower, unknown := stats.Same, stats.Slower, stats.Unknown
	for _, test := range []struct {
		factors []float64
		p       bool // the analysis finds a difference
		want    []stats.Verdict
		all     stats.Verdict
	}{
		{[]float64{1, 1, 1}, false, nil, unknown},
		{[]float64{1, 1, 1.1}, true, []stats.Verdict{unknown, slower, slower}, slower},
		{[]float64{1.2, 1, 1}, true, []stats.Verdict{stats.Faster, stats.Faster, unknown}, stats.Faster},
	} {
		c := Against{}.Compare(drifting(test.factors...))[0]
		if c.ANOVA == nil || (c.ANOVA.P < 0.01) != test.p || c.ANOVA.Between != 2 || c.ANOVA.Error != 22 {
			t.Errorf("%v: %+v", test.factors, c.ANOVA)
		}
		for i, p := range c.Pairs {
			if test.want == nil && (p.Verdict == slower || p.Verdict == stats.Faster) {
				t.Errorf("%v: %v against %v is %v", test.factors, p.B, p.A, p.Verdict)
			}
			// Same and unknown are up to the noise of equal ones.
			if test.want != nil && p.Verdict != test.want[i] && !(test.want[i] == unknown && p.Verdict == same) {
				t.Errorf("%v: %v against %v is %v, want %v", test.factors, p.B, p.A, p.Verdict, test.want[i])
			}
		}
		if v := c.Verdict(); v != test.all && !(test.all == unknown && v == same) {
			t.Errorf("%v: %v", test.factors, v)
		}
	}
}

// The sums of squares are 2.06 between groups and 1/30 of what is left without
// groups and rounds. A tail is never rounded to 0.
func TestBlocks(t *testing.T) {
	exp := func(xs ...float64) []float64 {
		for i := range xs {
			xs[i] = math.Exp(xs[i])
		}
		return xs
	}
	v, err := Blocks(exp(1, 2, 3), exp(1.1, 2.2, 3.3), exp(2, 3, 4.3))
	if err != nil || v.Between != 2 || v.Error != 4 {
		t.Fatalf("%+v, %v", v, err)
	}
	// With two degrees of freedom above, the tail has a closed form.
	if math.Abs(v.F-123.6) > 1e-9 || math.Abs(v.P-math.Pow(1+2*v.F/4, -2)) > 1e-12 {
		t.Errorf("F = %v, P = %v", v.F, v.P)
	}
	far := make([][]float64, 3)
	for i := range far {
		for j := range 40 {
			far[i] = append(far[i], math.Exp(float64(5*i)+0.001*math.Sin(float64(i+7*j))))
		}
	}
	if v, err := Blocks(far...); err != nil || !(v.P > 0) || v.P > 1e-100 {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestCompareCounts(t *testing.T) {
	all := Against{}.Compare(made())
	i := slices.IndexFunc(all, func(c Comparison) bool { return c.Unit == "allocs/op" })
	if c := all[i]; !c.Exact || c.Verdict() != stats.Slower || c.Pairs[0].Diff.Mean != 1 {
		t.Errorf("%+v", c)
	}
	var b strings.Builder
	if err := WriteComparisons(&b, all, 0.95); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"v2 against v1: slower, +10.0 %", "v2 against v1: more, +1, exactly"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
