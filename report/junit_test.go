package report_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/report"
)

// element is what the schema of Jenkins's xUnit plugin, junit-10.xsd, says of one.
type element struct {
	inside         []string // the elements that it may be in
	required, also []string // attributes
	text           bool     // it may have some
}

var junitSchema = map[string]element{
	"testsuites": {[]string{""}, nil, []string{"name", "time", "tests", "failures", "errors"}, false},
	"testsuite": {[]string{"testsuites", "testsuite"}, []string{"name", "tests", "failures", "errors"},
		[]string{"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"}, false},
	"testcase":   {[]string{"testsuite"}, []string{"name"}, []string{"time", "classname", "group"}, false},
	"failure":    {[]string{"testcase"}, nil, []string{"type", "message"}, true},
	"error":      {[]string{"testcase"}, nil, []string{"type", "message"}, true},
	"skipped":    {[]string{"testcase"}, nil, []string{"type", "message"}, true},
	"system-out": {[]string{"testcase", "testsuite"}, nil, nil, true},
}

// Whatever is written as JUnit XML is as Jenkins's schema has it, counts what it holds, and
// has what GitLab shows: a classname and a text for each failure, no case twice.
func TestJUnitSchema(t *testing.T) {
	files := map[string]*report.File{"check": readFile(t, filepath.Join("testdata", "sheet", "check.json"))}
	for name, r := range reports(t) {
		files[name] = &report.File{Hunt: r}
	}
	for name, s := range suites(t) {
		files[name] = &report.File{Suite: s}
	}
	for name, f := range files {
		for _, wrong := range junitErrors(drawn(t, f, "junit")) {
			t.Errorf("%s: %s", name, wrong)
		}
	}
	for _, wrong := range []string{
		`<testsuites skipped="1"></testsuites>`,
		`<testsuites><testcase name="x"></testcase></testsuites>`,
		`<testsuites><testsuite name="x" tests="0" failures="0"></testsuite></testsuites>`,
		`<testsuites><testsuite name="x" tests="2" failures="0" errors="0"><testcase name="x" classname="y"></testcase></testsuite></testsuites>`,
		`<testsuites><testsuite name="x" tests="1" failures="1" errors="0"><testcase name="x" classname="y"><failure message="z"></failure></testcase></testsuite></testsuites>`,
	} {
		if junitErrors([]byte(wrong)) == nil {
			t.Errorf("nothing is said of %s", wrong)
		}
	}
}

func junitErrors(data []byte) (wrong []string) {
	d := xml.NewDecoder(bytes.NewReader(data))
	open := []string{""}
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return append(wrong, err.Error())
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			name := tok.Name.Local
			rule, ok := junitSchema[name]
			if !ok || !slices.Contains(rule.inside, open[len(open)-1]) {
				wrong = append(wrong, name+" in "+open[len(open)-1])
			}
			var have []string
			for _, a := range tok.Attr {
				have = append(have, a.Name.Local)
				if !slices.Contains(slices.Concat(rule.required, rule.also), a.Name.Local) {
					wrong = append(wrong, name+" has "+a.Name.Local)
				}
				if a.Name.Local == "time" && !regexp.MustCompile(`^[0-9]+(\.[0-9]*)?$`).MatchString(a.Value) {
					wrong = append(wrong, "time "+a.Value)
				}
			}
			for _, need := range rule.required {
				if !slices.Contains(have, need) {
					wrong = append(wrong, name+" without "+need)
				}
			}
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if in := open[len(open)-1]; len(bytes.TrimSpace(tok)) > 0 && !junitSchema[in].text {
				wrong = append(wrong, "text in "+in)
			}
		}
	}
	return append(wrong, junitCounts(data)...)
}

// junitCounts holds what a file says of its cases against them.
func junitCounts(data []byte) (wrong []string) {
	type counts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	var all struct {
		counts
		Suites []struct {
			counts
			Cases []struct {
				Class   string  `xml:"classname,attr"`
				Name    string  `xml:"name,attr"`
				Failure *string `xml:"failure"`
				Error   *string `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(data, &all); err != nil {
		return []string{err.Error()}
	}
	seen := map[[2]string]bool{}
	var sum counts
	for _, s := range all.Suites {
		var of counts
		for _, c := range s.Cases {
			of.Tests++
			if c.Failure != nil {
				of.Failures++
			}
			if c.Error != nil {
				of.Errors++
			}
			key := [2]string{c.Class, c.Name}
			if c.Class == "" || seen[key] || c.Failure != nil && *c.Failure == "" || c.Error != nil && *c.Error == "" {
				wrong = append(wrong, c.Name+": twice, or without a class or a text")
			}
			seen[key] = true
		}
		if of != s.counts {
			wrong = append(wrong, "a suite miscounts")
		}
		sum = counts{sum.Tests + of.Tests, sum.Failures + of.Failures, sum.Errors + of.Errors}
	}
	if sum != all.counts {
		wrong = append(wrong, "the whole miscounts")
	}
	return wrong
}
