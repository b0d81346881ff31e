package report

import (
	"cmp"
	"encoding/xml"
	"io"
)

type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		ClassName string        `xml:"classname,attr"`
		Name      string        `xml:"name,attr"`
		File      string        `xml:"file,attr,omitempty"`
		Line      int           `xml:"line,attr,omitempty"`
		Failure   *junitProblem `xml:"failure,omitempty"`
		Error     *junitProblem `xml:"error,omitempty"`
		Skipped   *junitProblem `xml:"skipped,omitempty"`
		Output    string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the suite as JUnit XML: a test suite for each package, a test
// case for each benchmark. A regression is a failure, a benchmark of the head that
// can't be run an error. What was not compared or not decided is skipped; where
// undecided benchmarks fail the build, they are failures.
func (s *Suite) WriteJUnit(w io.Writer) error {
	all := junitSuites{Name: "pinpoint"}
	at := make(map[string]int)
	for _, b := range s.Benchmarks {
		i, ok := at[b.Package]
		if !ok {
			i = len(all.Suites)
			at[b.Package] = i
			all.Suites = append(all.Suites, junitSuite{Name: b.Package})
		}
		all.Suites[i].add(b.junit(s))
	}
	for _, one := range all.Suites {
		all.Tests += one.Tests
		all.Failures += one.Failures
		all.Errors += one.Errors
		all.Skipped += one.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (j *junitSuite) add(c junitCase) {
	j.Tests++
	switch {
	case c.Failure != nil:
		j.Failures++
	case c.Error != nil:
		j.Errors++
	case c.Skipped != nil:
		j.Skipped++
	}
	j.Cases = append(j.Cases, c)
}

func (b Benchmark) junit(s *Suite) junitCase {
	c := junitCase{ClassName: b.Package, Name: b.Name}
	if at, ok := b.site(); ok {
		c.File, c.Line = at.file, at.line
	}
	problem := func(message string) *junitProblem {
		return &junitProblem{Message: message, Type: string(b.Outcome), Text: b.message(s)}
	}
	switch b.Outcome {
	case IsRegression:
		c.Failure = problem("slower by " + b.change())
	case IsFailed:
		c.Error = problem("could not be built or run")
	case IsUnknown:
		if s.Rule.FailOnUnknown {
			c.Failure = problem("not decided")
		} else {
			c.Skipped = &junitProblem{Message: "not decided: " + b.Reason}
		}
	case IsUnselected, IsChosen, IsNew, IsRemoved, IsSkipped, IsBaseFailed:
		c.Skipped = &junitProblem{Message: cmp.Or(b.Reason, b.Selected)}
	default:
		c.Output = string(b.Outcome) + " " + b.change()
		if b.Acceptance != nil {
			c.Output += ", " + b.Acceptance.text()
		}
	}
	return c
}
