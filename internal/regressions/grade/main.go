// Grade says how right a report is: grade CASE.json REPORT.json prints one row of a
// Markdown table. The exit status is 0 where the right function is named first, 1 where
// it is not, 2 where there is no report to grade.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/regressions"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: grade CASE.json REPORT.json")
		os.Exit(2)
	}
	grade, err := run(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "grade:", err)
		os.Exit(2)
	}
	if grade != regressions.First {
		os.Exit(1)
	}
}

func run(caseFile, reportFile string) (regressions.Grade, error) {
	c, err := regressions.ReadCase(caseFile)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(reportFile)
	if err != nil {
		return "", err
	}
	var r regressions.Report
	if err := json.Unmarshal(data, &r); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Base(reportFile), err)
	}
	if !strings.HasPrefix(r.Schema, "pinpoint/report/v1") {
		return "", fmt.Errorf("%s: schema %q, want pinpoint/report/v1", filepath.Base(reportFile), r.Schema)
	}
	grade := c.Grade(r)
	named := "–"
	if len(r.Culprits) > 0 {
		named = "`" + r.Culprits[0].Function + "`"
	}
	fmt.Printf("| %s | %s | %.2fx | %s | %s | %s | %.0f s |\n", c.Name, c.Kind, c.Ratio.Median, grade, cmp.Or(r.Verdict, "–"), named, r.Search.Seconds)
	return grade, nil
}
