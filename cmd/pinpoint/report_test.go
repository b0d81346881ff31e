package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/report"
)

// What every job saves is drawn in every form in which it makes sense; the rest is refused
// with a sentence, here by some words of it, and nothing is written.
func TestReportForms(t *testing.T) {
	const (
		many = "several benchmarks" // a page is of one
		code = "no place in the code"
	)
	forms := []string{"text", "html", "markdown", "comment", "json", "pprof", "pprof-good", "benchfmt", "sarif", "junit"}
	if !slices.Equal(forms, report.FormatNames()) {
		t.Fatalf("the forms are %v", report.FormatNames())
	}
	saved := filepath.Join("..", "..", "report", "testdata")
	for job, c := range map[string]struct {
		file    string
		refused [10]string // by form; "" is drawn
	}{
		"find":          {filepath.Join(saved, "hunt.json"), [10]string{}},
		"compare":       {filepath.Join(saved, "no-regression.json"), [10]string{}},
		"bisect":        {bisected(t, filepath.Join(saved, "hunt.json")), [10]string{}},
		"ci":            {filepath.Join(saved, "suite", "red.json"), [10]string{"", many, "", "", "", many, many, "", "", ""}},
		"measure":       {filepath.Join(saved, "sheet", "measure.json"), [10]string{"", "", "", code, "", code, code, "", code, "better or worse than nothing"}},
		"history check": {filepath.Join(saved, "sheet", "check.json"), [10]string{"", "", "", code, "", code, code, "no samples", code, ""}},
		"doctor":        {filepath.Join("..", "..", "doctor", "testdata", "health.json"), [10]string{"", "", "", code, "", code, code, "no samples", code, "better or worse than nothing"}},
	} {
		for i, form := range forms {
			var out bytes.Buffer
			draw, err := readReport([]string{c.file}, form)
			if err == nil {
				err = draw(&out)
			}
			switch want := c.refused[i]; {
			case want == "" && (err != nil || out.Len() == 0):
				t.Errorf("%s as %s: %d bytes, %v", job, form, out.Len(), err)
			case want != "" && (err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0):
				t.Errorf("%s as %s: %d bytes, %v, want %s", job, form, out.Len(), err, want)
			case want == "" && form == "json" && !json.Valid(out.Bytes()):
				t.Errorf("%s as JSON is none", job)
			case form == "html" && want == "" && !strings.Contains(out.String(), "default-src &#39;none&#39;"):
				t.Errorf("%s as HTML has no policy", job)
			}
		}
	}
}

// bisected is a file of a bisect whose last hunt is in another.
func bisected(t *testing.T, hunt string) string {
	data, err := os.ReadFile(hunt)
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Report{}
	if err := json.Unmarshal(data, r); err != nil {
		t.Fatal(err)
	}
	r.Bisect = &report.Bisect{Commits: 4, Measured: 2, FirstBad: &report.Commit{Hash: r.Bad.Commit, Subject: "slower"}}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "bisect.json")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}
