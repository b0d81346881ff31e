// Package regressions reads the public set of Go regressions and says how right an
// answer is. It promises to judge any tool by the same rule: what its report names
// first, and whether it confirms what is innocent.
//
// The set is in testdata/regressions: see the README there.
package regressions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Case is one regression: where it is, how it is seen, and what an expert blames after
// reading the change.
type Case struct {
	Name       string   `json:"name"`       // of the file, without .json
	Repository string   `json:"repository"` // that git clones
	Good       string   `json:"good"`       // full hash
	Bad        string   `json:"bad"`        // full hash
	Package    string   `json:"package"`    // directory, relative to the repository's top
	Bench      string   `json:"bench"`      // name of the benchmark
	Driver     string   `json:"driver"`     // file with the benchmark, relative to the set; "" if the repository has it
	Answer     []string `json:"answer"`     // full names of functions, most precise first: any of them is right
	Kind       string   `json:"kind"`       // one of Kinds
	Commit     string   `json:"commit"`     // that brought it, where it is known; "" for a range that was not searched
	Ratio      Ratio    `json:"ratio"`
	Confirmed  string   `json:"confirmed"` // how it is known that the answer is right
	Why        string   `json:"why"`       // what got slower, in a sentence
}

// Ratio is bad divided by good, the median over pairs of runs and its quartiles.
type Ratio struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Pairs  int     `json:"pairs"`
	Of     string  `json:"of"` // cpu or wall time
}

// Kinds are what makes a case hard.
var Kinds = map[string]string{
	"local":     "a function's own code got slower",
	"added":     "a call that good does not make",
	"new":       "a function that only bad has does the work",
	"oftener":   "the same code is called oftener, or with other arguments",
	"data":      "a type, table or size differs, and code that did not change is slower",
	"displaced": "the cost shows elsewhere than its cause, such as in collecting garbage",
	"setup":     "what runs before the timer makes what is timed slower",
	"recursion": "among functions that call each other",
	"rewritten": "most of the way to it was rewritten",
	"version":   "a dependency's version",
	"lock":      "goroutines wait for each other",
}

// Read reads the cases of a directory, by name, and says what is wrong with any.
func Read(dir string) ([]Case, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var list []Case
	for _, name := range names {
		if strings.HasSuffix(name, ".schema.json") {
			continue
		}
		c, err := ReadCase(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// ReadCase reads one case, which has the name of its file.
func ReadCase(name string) (Case, error) {
	var c Case
	data, err := os.ReadFile(name)
	if err != nil {
		return c, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, err
	}
	if want := strings.TrimSuffix(filepath.Base(name), ".json"); c.Name != want {
		return c, fmt.Errorf("its name is %q, its file's %q", c.Name, want)
	}
	return c, nil
}

// Grade is how right a report is.
type Grade string

// The grades, best first. Only the last is worse than no answer.
const (
	First   Grade = "first"   // what it names first is right
	Listed  Grade = "listed"  // what is right is named, but not first
	Nothing Grade = "nothing" // names nothing
	Other   Grade = "other"   // suspects others only
	Wrong   Grade = "WRONG"   // confirms one that is innocent, before any that is right
)

// Report is what of a report of schema pinpoint/report/v1 is graded.
type Report struct {
	Schema   string    `json:"schema"`
	Verdict  string    `json:"verdict"`
	Culprits []Culprit `json:"culprits"`
	Search   struct {
		Seconds float64 `json:"seconds"`
	} `json:"search"`
}

// Culprit is a function that a report names.
type Culprit struct {
	Function  string `json:"function"`
	Confirmed bool   `json:"confirmed"`
	How       string `json:"how"` // probes: by these only, which confirms nothing
}

// Grade grades a report.
func (c Case) Grade(r Report) Grade {
	at := slices.IndexFunc(r.Culprits, func(k Culprit) bool { return slices.Contains(c.Answer, k.Function) })
	switch {
	case len(r.Culprits) == 0:
		return Nothing
	case at == 0:
		return First
	}
	before := r.Culprits
	if at > 0 {
		before = before[:at]
	}
	for _, k := range before {
		if k.Confirmed && k.How != "probes" {
			return Wrong
		}
	}
	if at > 0 {
		return Listed
	}
	return Other
}
