package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

var update = flag.Bool("update", false, "rewrite testdata from what the package prints")

// reports are the hand-made reports of testdata, by name.
func reports(t *testing.T) map[string]*report.Report {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no reports: %v", err)
	}
	all := make(map[string]*report.Report)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		r := &report.Report{}
		if err := d.Decode(r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[strings.TrimSuffix(name, ".json")] = r
	}
	return all
}

// golden compares with a file, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is printed (-update rewrites it); printed:\n%s", name, got)
	}
}

func TestText(t *testing.T) {
	for name, r := range reports(t) {
		var b bytes.Buffer
		if err := r.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".txt", b.Bytes())
		if bytes.Contains(b.Bytes(), []byte("\n\n\n")) {
			t.Errorf("%s: two empty lines in a row", name)
		}
		for line := range strings.Lines(b.String()) {
			// Only a name or a path may be too long: nothing can be folded there.
			if utf8.RuneCountInString(line) > text.Width+1 && strings.Contains(strings.TrimSpace(line), " ") && !strings.Contains(line, "T=int") {
				t.Errorf("%s: more than %d columns: %s", name, text.Width, line)
			}
		}
	}
}

func TestJSONReadBackIsTheSame(t *testing.T) {
	for name, r := range reports(t) {
		var b bytes.Buffer
		if err := r.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".json", b.Bytes())
	}
}

func TestJSONListsAreNeverNull(t *testing.T) {
	r := &report.Report{Culprits: []report.Culprit{{}}}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"schema": "pinpoint/report/v1"`, `"chain": []`, `"evidence": []`, `"commits": []`, `"warnings": []`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	if r.Culprits[0].Chain != nil {
		t.Error("writing changed the report")
	}
}

func TestExitStatus(t *testing.T) {
	for verdict, want := range map[report.Verdict]int{
		report.NoRegression: 0, report.Improvement: 0, report.Regression: 1, report.Inconclusive: 3, "": 3,
	} {
		if got := (&report.Report{Verdict: verdict}).ExitStatus(); got != want {
			t.Errorf("%q exits with %d, want %d", verdict, got, want)
		}
	}
}

// What is undecided is a call or all of a function, which is named without the path of
// its package: there is little room.
func TestUndecidedString(t *testing.T) {
	d := report.Delta{Diff: report.Interval{Mean: 2000, Low: 1000, High: 3000}, Unit: "ns/op"}
	for _, test := range []struct {
		u    report.Undecided
		want string
	}{
		{report.Undecided{Call: "f(x)", Function: "example.com/m.F", Position: "m.go:1:2", Delta: d, Need: 48}, "m.go:1:2 f(x): +2.00 µs [+1.00, +3.00] (about 48 pairs would do)"},
		{report.Undecided{Function: "example.com/m.(*T).F", Position: "m.go:1:2", Delta: d}, "m.go:1:2 m.(*T).F: +2.00 µs [+1.00, +3.00]"},
		{report.Undecided{Function: "example.com/trifles"}, "trifles"},
	} {
		if got := test.u.String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// words are those of a report's text, whatever its lines.
func words(t *testing.T, r report.Report) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// What was put back is a function; the call that has most of its difference was measured
// otherwise, and has a figure of its own.
func TestProvedCulprit(t *testing.T) {
	delta := func(mean float64) report.Delta {
		return report.Delta{Diff: report.Interval{Mean: mean, Low: mean, High: mean}, Unit: "ns/op", Pairs: 6}
	}
	step := delta(500)
	r := report.Report{Culprits: []report.Culprit{{
		Function: "example.com/m.F", Kind: report.AddedCall, Call: "g(x)", Share: 0.9, Delta: delta(900), Confirmed: true,
		Chain:    []report.Step{{Function: "example.com/m.F", Call: "g(x)", Share: 0.5, Delta: &step}},
		Reverted: &report.Reverted{},
	}}}
	text := words(t, r)
	if want := "It takes longer: +900 ns [+900, +900], 90 % of the difference. Most of it is a call that good does not make, g(x): +500 ns [+500, +500], by its probe."; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// Code that only bad has came with a call that somebody else makes, and is called as often
// as that is.
func TestCulpritThatCameWithACall(t *testing.T) {
	delta := report.Delta{Diff: report.Interval{Mean: 900, Low: 900, High: 900}, Unit: "ns/op", Pairs: 6}
	r := report.Report{Culprits: []report.Culprit{{
		Function: "example.com/m.New", Kind: report.AddedCall, Call: "g(x)", Share: 0.9, Delta: delta, Confirmed: true, CallsBad: 3,
		Chain:    []report.Step{{Function: "example.com/m.F", Call: "g(x)", Share: 0.5, Delta: &delta}, {Function: "example.com/m.New", Call: "(its own code)"}},
		Reverted: &report.Reverted{},
	}}}
	text := words(t, r)
	for _, want := range []string{"It came with the call g(x) in m.F, which good does not make: +900 ns", "Calls per operation by way of the chain: 0 in good, 3 in bad."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A cost that is not paid in the code that causes it is not said to be its own.
func TestCulpritWhoseCostIsPaidElsewhere(t *testing.T) {
	delta := func(mean float64) *report.Delta {
		return &report.Delta{Diff: report.Interval{Mean: mean, Low: mean, High: mean}, Unit: "ns/op", Pairs: 6}
	}
	r := report.Report{Culprits: []report.Culprit{{
		Function: "example.com/m.hash", Kind: report.OwnCode, Elsewhere: true, Share: 0.9, Delta: *delta(900), Confirmed: true,
		Chain:    []report.Step{{Function: "example.com/m.F", Call: "hash(x)", Delta: delta(20)}, {Function: "example.com/m.hash", Delta: delta(900)}},
		Reverted: &report.Reverted{},
	}}}
	text := words(t, r)
	if want := "What its code does makes other code slower: +900 ns [+900, +900], 90 % of the difference. The call of it takes +20.0 ns [+20.0, +20.0] of that."; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}
