package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"

	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// What follows is what the schema of Jenkins's xUnit plugin knows (junit-10.xsd), which
// refuses a whole file for an attribute that it does not: for skipped of testsuites, and
// for file and line of a testcase, so that places are in the texts of failures. GitLab
// shows classname, name, time, and the text of a failure or an error, and of two cases of
// one classname and name only the first.
type (
	junitSuites struct {
		XMLName  xml.Name      `xml:"testsuites"`
		Name     outside.Plain `xml:"name,attr"`
		Tests    int           `xml:"tests,attr"`
		Failures int           `xml:"failures,attr"`
		Errors   int           `xml:"errors,attr"`
		Suites   []junitSuite  `xml:"testsuite"`
	}
	junitSuite struct {
		Name     outside.Plain `xml:"name,attr"`
		Tests    int           `xml:"tests,attr"`
		Failures int           `xml:"failures,attr"`
		Errors   int           `xml:"errors,attr"`
		Skipped  int           `xml:"skipped,attr"`
		Cases    []junitCase   `xml:"testcase"`
	}
	junitCase struct {
		ClassName outside.Plain `xml:"classname,attr"`
		Name      outside.Plain `xml:"name,attr"`
		Time      outside.Plain `xml:"time,attr,omitempty"` // of the hunt, seconds
		Failure   *junitProblem `xml:"failure,omitempty"`
		Error     *junitProblem `xml:"error,omitempty"`
		Skipped   *junitProblem `xml:"skipped,omitempty"`
		Output    outside.Plain `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message outside.Plain `xml:"message,attr"`
		Type    outside.Plain `xml:"type,attr,omitempty"`
		Text    outside.Plain `xml:",chardata"`
	}
)

// WriteJUnit writes the suite as JUnit XML: a test suite for each package, a test
// case for each benchmark. A regression is a failure, a benchmark of the head that
// can't be run an error. What was not compared or not decided is skipped; where
// undecided benchmarks fail the build, they are failures.
func (s *Suite) WriteJUnit(w io.Writer) error {
	var all junitSuites
	for _, b := range s.Benchmarks {
		all.add(b.Package, b.junit(s))
	}
	return all.write(w)
}

// add takes a test case up into the suite of its package.
func (all *junitSuites) add(pkg string, c junitCase) {
	name := outside.PlainOf(pkg)
	i := slices.IndexFunc(all.Suites, func(s junitSuite) bool { return s.Name == name })
	if i < 0 {
		i = len(all.Suites)
		all.Suites = append(all.Suites, junitSuite{Name: name})
	}
	all.Suites[i].add(c)
}

func (all *junitSuites) write(w io.Writer) error {
	all.Name = "pinpoint"
	for _, one := range all.Suites {
		all.Tests += one.Tests
		all.Failures += one.Failures
		all.Errors += one.Errors
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
	c := junitCase{ClassName: outside.PlainOf(b.Package), Name: outside.PlainOf(b.Name)}
	if b.Report != nil && b.Report.Search.Seconds > 0 {
		c.Time = outside.PlainOf(fmt.Sprintf("%.3f", b.Report.Search.Seconds))
	}
	problem := func(message string) *junitProblem {
		return &junitProblem{Message: outside.PlainOf(message), Type: outside.PlainOf(string(b.Outcome)), Text: outside.PlainOf(b.message(s))}
	}
	skipped := func(why string) *junitProblem { return &junitProblem{Message: outside.PlainOf(why)} }
	switch b.Outcome {
	case IsRegression:
		c.Failure = problem("slower by " + b.change())
	case IsFailed:
		c.Error = problem("could not be built or run")
	case IsUnknown:
		if s.Rule.FailOnUnknown {
			c.Failure = problem("not decided")
		} else {
			c.Skipped = skipped("not decided: " + b.Reason)
		}
	case IsUnchanged:
		c.Output = outside.PlainOf(b.Selected)
	case IsUnselected, IsChosen, IsNew, IsRemoved, IsSkipped, IsBaseFailed:
		c.Skipped = skipped(cmp.Or(b.Reason, b.Selected))
	default:
		said := string(b.Outcome) + " " + b.change()
		if b.Acceptance != nil {
			said += ", " + b.Acceptance.text()
		}
		c.Output = outside.PlainOf(said)
	}
	return c
}
