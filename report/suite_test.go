package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// suites are the hand-made suites of testdata/suite, by name.
func suites(t *testing.T) map[string]*report.Suite {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "suite", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no suites: %v", err)
	}
	all := make(map[string]*report.Suite)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		s := &report.Suite{}
		if err := d.Decode(s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[strings.TrimSuffix(name, ".json")] = s
	}
	return all
}

// written is what a Write method writes.
func written(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSuiteGoldens(t *testing.T) {
	for name, s := range suites(t) {
		golden(t, name+".txt", written(t, s.WriteText))
		golden(t, name+".md", written(t, s.WriteMarkdown))
		golden(t, name+".comment.md", written(t, s.WriteComment))
		golden(t, name+".annotations", written(t, s.WriteAnnotations))
		golden(t, name+".sarif", written(t, s.WriteSARIF))
		golden(t, name+".xml", written(t, s.WriteJUnit))
		golden(t, name+".json", written(t, s.WriteJSON))
	}
}

// TestSuspects takes the proofs back from what was hunted: nothing accuses it then.
func TestSuspects(t *testing.T) {
	for name, s := range suites(t) {
		hunted := false
		for _, b := range s.Benchmarks {
			if b.Report == nil || len(b.Report.Culprits) == 0 {
				continue
			}
			hunted = hunted || b.Outcome == report.IsRegression
			for i := range b.Report.Culprits {
				b.Report.Culprits[i].Confirmed = false
			}
		}
		if !hunted {
			continue
		}
		for what, write := range map[string]func(io.Writer) error{
			"text": s.WriteText, "markdown": s.WriteMarkdown, "comment": s.WriteComment, "annotations": s.WriteAnnotations,
			"SARIF": s.WriteSARIF, "JUnit": s.WriteJUnit,
		} {
			said := string(written(t, write))
			if !strings.Contains(strings.ToLower(said), "suspect") {
				t.Errorf("%s, %s: nothing is suspected", name, what)
			}
			for line := range strings.Lines(said) {
				if accuses.MatchString(line) {
					t.Errorf("%s, %s: %s", name, what, line)
				}
			}
		}
	}
}

// accuses is a line that calls something a culprit, or has a column for them.
var accuses = regexp.MustCompile(`(?i)culprit[: |]+(\x60|[a-z./]*codec)|\| culprit|culprit is found`)

func TestSuiteTextWidth(t *testing.T) {
	for name, s := range suites(t) {
		said := string(written(t, s.WriteText))
		if strings.Contains(said, "\n\n\n") {
			t.Errorf("%s: two empty lines in a row", name)
		}
		for line := range strings.Lines(said) {
			// What a program printed is not folded.
			if utf8.RuneCountInString(line) > text.Width+1 && !strings.HasPrefix(line, "      ") && !strings.Contains(line, "T=int") {
				t.Errorf("%s: more than %d columns: %s", name, text.Width, line)
			}
		}
	}
}

// TestSARIFSchema holds what is written against the schema of the standard.
func TestSARIFSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "sarif", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range suites(t) {
		log := written(t, s.WriteSARIF)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	wrong, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(wrong) == nil {
		t.Error("the schema is content with a tool that has no name")
	}
}

// TestJUnitParses reads the XML back: names are what they were.
func TestJUnitParses(t *testing.T) {
	for name, s := range suites(t) {
		var all struct {
			Suites []struct {
				Cases []struct {
					Name string `xml:"name,attr"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(written(t, s.WriteJUnit), &all); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		names := make(map[string]bool)
		for _, one := range all.Suites {
			for _, c := range one.Cases {
				names[c.Name] = true
			}
		}
		for _, b := range s.Benchmarks {
			if !names[b.Name] {
				t.Errorf("%s: no case %s", name, b.Name)
			}
		}
	}
}

// TestAnnotationsAreLines takes the commands apart as GitHub's runner does.
func TestAnnotationsAreLines(t *testing.T) {
	for name, s := range suites(t) {
		for line := range strings.Lines(string(written(t, s.WriteAnnotations))) {
			head, message, ok := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "::"), "::")
			command, properties, _ := strings.Cut(head, " ")
			if !ok || message == "" || !strings.HasPrefix(line, "::") {
				t.Fatalf("%s: no command: %s", name, line)
			}
			if command != "error" && command != "warning" && command != "notice" {
				t.Errorf("%s: command %q", name, command)
			}
			for _, p := range strings.Split(properties, ",") {
				key, value, ok := strings.Cut(p, "=")
				if !ok || value == "" || strings.Contains(value, ":") || !strings.Contains(" file line col title ", " "+key+" ") {
					t.Errorf("%s: property %q of %s", name, p, line)
				}
			}
		}
	}
}

// TestCommentFits fills a page: what does not fit is counted, not cut.
func TestCommentFits(t *testing.T) {
	s := suites(t)[filepath.Join("testdata", "suite", "three")]
	one := s.Benchmarks[0]
	for i := range 400 {
		b := one
		b.Name = fmt.Sprintf("BenchmarkStages%d", i)
		s.Benchmarks = append(s.Benchmarks, b)
	}
	s.Benchmarks[0].Report, s.Benchmarks[0].Reason = nil, strings.Repeat("line\n", 20_000)
	comment := string(written(t, s.WriteComment))
	if n := utf8.RuneCountInString(comment); n > 65536 {
		t.Errorf("a comment of %d characters: GitHub takes 65536", n)
	}
	if !strings.Contains(comment, "and 361 more") || !strings.Contains(comment, "parts did not fit") {
		t.Errorf("what is left out is not told:\n%.3000s", comment)
	}
	if strings.Count(comment, "<details>") != strings.Count(comment, "</details>") || strings.Count(comment, "```")%2 != 0 {
		t.Error("something folded is not closed")
	}
}

func TestSuiteExitStatus(t *testing.T) {
	for _, c := range []struct {
		outcomes      string
		failOnUnknown bool
		err           string
		want          int
	}{
		{"ok faster slower new removed unselected skipped accepted no-base", false, "", 0},
		{"ok unknown", false, "", 0},
		{"ok unknown", true, "", 3},
		{"ok failed unknown", true, "", 2},
		{"ok failed regression unknown", true, "", 1},
		{"ok", false, "context canceled", 2},
		{"", false, "", 0},
	} {
		s := &report.Suite{Error: c.err, Rule: report.SuiteRule{FailOnUnknown: c.failOnUnknown}}
		for _, o := range strings.Fields(c.outcomes) {
			s.Benchmarks = append(s.Benchmarks, report.Benchmark{Outcome: report.Outcome(o)})
		}
		if got := s.ExitStatus(); got != c.want {
			t.Errorf("%s: exit status %d, want %d", c.outcomes, got, c.want)
		}
	}
}

// TestSite has culprits that a reader of bad can't look at: outside of the
// repository, and only in good.
func TestSite(t *testing.T) {
	chain := []report.Step{{Position: "a_test.go:3:4"}, {Position: "a.go:5:6"}, {Position: "std@go1.26/sort/sort.go:7:8"}}
	for _, c := range []struct {
		name    string
		culprit report.Culprit
		want    string
	}{
		{"in the repository", report.Culprit{Kind: report.OwnCode, Position: "b.go:9:1", Chain: chain}, "file=b.go,line=9,col=1,"},
		{"in the standard library", report.Culprit{Kind: report.OwnCode, Position: "std@go1.26/sort/sort.go:7:8", Chain: chain}, "file=a.go,line=5,col=6,"},
		{"in a dependency", report.Culprit{Kind: report.OwnCode, Position: "example.com/d@v1.2.3/d.go:7:8", Chain: chain[:1]}, "file=a_test.go,line=3,col=4,"},
		{"gone from bad", report.Culprit{Kind: report.RemovedCall, Position: "old.go:9:1", Chain: chain[:2]}, "file=a_test.go,line=3,col=4,"},
		{"nowhere", report.Culprit{Kind: report.OwnCode}, "file=x_test.go,line=1,col=6,"},
	} {
		s := &report.Suite{Benchmarks: []report.Benchmark{{
			Name: "BenchmarkX", Position: "x_test.go:1:6", Outcome: report.IsRegression,
			Report: &report.Report{Culprits: []report.Culprit{c.culprit}},
		}}}
		if got := string(written(t, s.WriteAnnotations)); !strings.HasPrefix(got, "::error "+c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestCommentIsBounded: whatever a branch brings, the comment is one that GitHub
// takes, and says first what the outcome is.
func TestCommentIsBounded(t *testing.T) {
	s := suites(t)[filepath.Join("testdata", "suite", "red")]
	long := strings.Repeat("é@x|`<", 1000)
	for i := range 1000 {
		s.Stale = append(s.Stale, report.Stale{Why: "there is no such benchmark", Acceptance: report.Acceptance{
			File: ".pinpoint/accepted", Line: i + 1, Benchmark: "Benchmark" + long, Culprit: long, Commit: "*", Reason: long,
		}})
		s.Warnings = append(s.Warnings, long)
		b := s.Benchmarks[0]
		b.Name, b.Reason, b.Outcome = fmt.Sprint("Benchmark", i, long), long+"\n"+long, report.IsNew
		s.Benchmarks = append(s.Benchmarks, b)
	}
	s.Base, s.Bad.Rev, s.Error = long, long, long
	for _, c := range []struct {
		write func(io.Writer) error
		bound int
	}{{s.WriteComment, 65536}, {s.WriteMarkdown, 1 << 20}} {
		page := written(t, c.write)
		if len(page) > c.bound {
			t.Errorf("a page of %d bytes, want %d at most", len(page), c.bound)
		}
		for _, want := range []string{"### pinpoint: 2 regressions above 5 %", "| **regression** | `BenchmarkEncode` in `codec` |", "did not fit on this page"} {
			if !bytes.Contains(page, []byte(want)) {
				t.Errorf("the page lacks %q", want)
			}
		}
	}
}
