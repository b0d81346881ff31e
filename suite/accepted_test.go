package suite

import (
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/report"
)

func TestParseAccepted(t *testing.T) {
	got, err := parseAccepted(".pinpoint/accepted", `
# comment
BenchmarkEncode   example.com/m/codec.(*T).sum	3f2a9c1d  records  have a checksum
  example.com/m/codec.BenchmarkDecode/size=10 * * it is safer now # really
`)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	want := report.Acceptance{File: ".pinpoint/accepted", Line: 3, Benchmark: "BenchmarkEncode", Culprit: "example.com/m/codec.(*T).sum", Commit: "3f2a9c1d", Reason: "records have a checksum"}
	if got[0] != want {
		t.Errorf("got %+v, want %+v", got[0], want)
	}
	if got[1].Line != 4 || got[1].Reason != "it is safer now # really" {
		t.Errorf("got %+v", got[1])
	}
}

func TestParseAcceptedErrors(t *testing.T) {
	_, err := parseAccepted("a", `BenchmarkX * *
Encode * * reason
BenchmarkY * 12ab reason
BenchmarkY * 3F2A9C1D reason
BenchmarkZ * * reason
BenchmarkZ * * another
fine.BenchmarkA f 1234567 reason`)
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		"a:1: want a benchmark, a culprit, a commit and a reason, got 3 of the four",
		"a:2: \"Encode\" is not the name of a benchmark",
		"a:3: \"12ab\" is not a commit", "a:4: \"3F2A9C1D\" is not a commit", "a:6: the same as line 5",
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d errors, want %d:\n%v", len(lines), len(want), err)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("got %q, want %q", line, want[i])
		}
	}
}

// judged is a job with one regression that has these culprits, and these entries.
func judged(culprits []string, entries ...entry) *report.Suite {
	hunted := &report.Report{}
	for _, c := range culprits {
		hunted.Culprits = append(hunted.Culprits, report.Culprit{Function: c})
	}
	r := &run{accepted: entries, opts: Options{Packages: everything}, report: &report.Suite{Benchmarks: []report.Benchmark{
		{Package: "m/codec", Name: "BenchmarkX", Outcome: report.IsRegression, Report: hunted},
		{Package: "m/codec", Name: "BenchmarkOK", Outcome: report.IsUnharmed},
		{Package: "m/codec", Name: "BenchmarkUnknown", Outcome: report.IsUnknown},
	}}}
	r.judgeAccepted()
	return r.report
}

func accept(benchmark, culprit string) entry {
	return entry{Acceptance: report.Acceptance{Benchmark: benchmark, Culprit: culprit}, between: true}
}

func TestJudgeAccepted(t *testing.T) {
	elsewhere := accept("BenchmarkX", "f")
	elsewhere.between = false
	for _, c := range []struct {
		name     string
		culprits []string
		entries  []entry
		accepted bool
		stale    string // why, in part; "" for not at all
	}{
		{"the culprit", []string{"f"}, []entry{accept("BenchmarkX", "f")}, true, ""},
		{"by its full name", []string{"f"}, []entry{accept("m/codec.BenchmarkX", "f")}, true, ""},
		{"any culprit", []string{"f"}, []entry{accept("BenchmarkX", "*")}, true, ""},
		{"no culprit was found", nil, []entry{accept("BenchmarkX", "*")}, true, ""},
		{"no culprit, and one is named", nil, []entry{accept("BenchmarkX", "f")}, false, ""},
		{"another culprit", []string{"g"}, []entry{accept("BenchmarkX", "f")}, false, "something else: g"},
		{"one of two", []string{"f", "g"}, []entry{accept("BenchmarkX", "f")}, false, ""},
		{"both", []string{"f", "g"}, []entry{accept("BenchmarkX", "f"), accept("BenchmarkX", "g")}, true, ""},
		{"a commit that is elsewhere", []string{"f"}, []entry{elsewhere}, false, "not between base and head"},
		{"another benchmark", []string{"f"}, []entry{accept("BenchmarkY", "f")}, false, "no such benchmark"},
		{"one that is well", []string{"f"}, []entry{accept("BenchmarkOK", "*")}, false, "has no regression"},
		{"one that is not decided", []string{"f"}, []entry{accept("BenchmarkUnknown", "*")}, false, ""},
	} {
		s := judged(c.culprits, c.entries...)
		if got := s.Benchmarks[0].Outcome == report.IsAccepted; got != c.accepted || got != (s.Benchmarks[0].Acceptance != nil) {
			t.Errorf("%s: accepted %v, want %v", c.name, got, c.accepted)
		}
		if (s.ExitStatus() == 0) != c.accepted {
			t.Errorf("%s: exit status %d", c.name, s.ExitStatus())
		}
		switch {
		case c.stale == "" && len(s.Stale) > 0:
			t.Errorf("%s: stale: %s", c.name, s.Stale[0].Why)
		case c.stale != "" && (len(s.Stale) != 1 || !strings.Contains(s.Stale[0].Why, c.stale)):
			t.Errorf("%s: stale: %+v, want %s", c.name, s.Stale, c.stale)
		}
	}
}
