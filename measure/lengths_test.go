package measure

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/revision"
)

func TestParseLengths(t *testing.T) {
	got, err := ParseLengths("1, 0.5,1.5")
	if err != nil || !slices.Equal(got, []float64{1, .5, 1.5}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, wrong := range []string{"", "1,", "0", "-1", "NaN", "Inf", "1e9", "half"} {
		if _, err := ParseLengths(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// measured is a campaign of one scenario whose processes took so long, in turn of
// lengths 1, 0.5 and 1.5.
func measured(times ...float64) *campaign {
	c := &campaign{result: &Result{}, opts: Options{Lengths: []float64{1, .5, 1.5}}}
	c.cells = []*cell{{Scenario: Scenario{Bench: "BenchmarkX"}, rev: &version{Revision: &revision.Revision{Label: "new"}}}}
	for i, ns := range times {
		c.result.Processes = append(c.result.Processes, Process{
			Kind: "time", Number: i, Length: c.length(run{timing: &Timing{}}, i), Values: []Value{{Unit: "ns/op", Value: ns}},
		})
	}
	return c
}

var timed = run{key: "time", timing: &Timing{}}

func TestLengths(t *testing.T) {
	c := measured()
	for round, want := range []float64{1, .5, 1.5, 1} {
		if got := c.length(timed, round); got != want {
			t.Errorf("process %d has length %v, want %v", round, got, want)
		}
	}
	if got := c.length(run{}, 1); got != 1 {
		t.Errorf("what is no time has length %v", got)
	}
	for _, test := range []struct {
		n      int64
		length float64
		want   int64
	}{{100, .5, 50}, {100, 1, 100}, {100, 1.5, 150}, {1, .5, 1}, {1, .01, 1}, {3, .5, 2}} {
		if got := iterationsOf(test.n, test.length); got != test.want {
			t.Errorf("%d iterations at length %v: %d, want %d", test.n, test.length, got, test.want)
		}
	}
}

// An operation that takes as long whatever the batch gets no warning, one whose batches
// each pay for something does, and a length that was run once says nothing.
func TestWarnOfLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	flat, steep := []float64{}, []float64{}
	for i := range 9 {
		flat = append(flat, 100+r.NormFloat64())
		steep = append(steep, 100+r.NormFloat64()+20/[]float64{1, .5, 1.5}[i%3])
	}
	for _, test := range []struct {
		name  string
		times []float64
		want  string
	}{
		{"flat", flat, ""},
		{"steep", steep, "138.8 ns at 0.5, 120.8 ns at 1, 112.9 ns at 1.5; p ="},
		{"too few", steep[:5], ""},
	} {
		c := measured(test.times...)
		c.warnOfLengths(timed)
		got := strings.Join(c.result.Warnings, "\n")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestRestless(t *testing.T) {
	for _, test := range []struct {
		times []float64
		want  bool
	}{
		{[]float64{100, 100.5, 101}, false},
		{[]float64{100, 103, 106}, true},
		{[]float64{100}, true}, // one process deviates from nothing, and nothing is known
	} {
		c := measured(test.times...)
		c.opts.Deviation = .01
		if got := len(c.restless(timed)) == 1; got != test.want {
			t.Errorf("%v: restless %v", test.times, got)
		}
		c.warnOfDeviation(timed)
		if len(test.times) > 1 && (len(c.result.Warnings) == 1) != test.want {
			t.Errorf("%v: %q", test.times, c.result.Warnings)
		}
	}
}

func TestCheckLengths(t *testing.T) {
	for _, test := range []struct {
		change func(c *campaign)
		want   string
	}{
		{func(*campaign) {}, ""},
		{func(c *campaign) { c.opts.Workload.Kind = harness.Test }, "no batches"},
		{func(c *campaign) { c.opts.Local = true }, "separate processes"},
		{func(c *campaign) { c.runs = []run{{key: "allocs"}} }, "running time"},
		{func(c *campaign) { c.opts.Lengths, c.opts.Local = nil, true }, ""},
	} {
		c := measured()
		c.runs = []run{timed}
		test.change(c)
		err := c.checkLengths()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}
