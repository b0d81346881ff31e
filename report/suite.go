package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/internal/text"
)

// SuiteSchema names the JSON layout of a [Suite]. Fields are added under the
// same name, never renamed or removed.
const SuiteSchema = "pinpoint/suite/v1"

// Suite is what a continuous integration job learned of many benchmarks: one
// outcome for each, and a report for each that was compared.
type Suite struct {
	Schema     string      `json:"schema"`
	Failed     bool        `json:"failed"` // the build is to turn red
	Good       Revision    `json:"good"`   // the base
	Bad        Revision    `json:"bad"`    // the head
	Base       string      `json:"base"`   // how the base was chosen
	Selection  string      `json:"selection"`
	Rule       SuiteRule   `json:"rule"`
	Benchmarks []Benchmark `json:"benchmarks"`       // by package and name
	Alarms     []Alarm     `json:"alarms,omitempty"` // of another gate, where only these were asked for
	Stale      []Stale     `json:"stale"`            // entries of accepted regressions that no longer match
	Cost       SuiteCost   `json:"cost"`
	Warnings   []string    `json:"warnings"`
	Error      string      `json:"error,omitempty"` // what ended the job early
}

// SuiteRule is by what the benchmarks were judged.
type SuiteRule struct {
	FailAbove     float64 `json:"fail_above"` // share by which bad may be slower
	FailOnUnknown bool    `json:"fail_on_unknown"`
	Alpha         float64 `json:"alpha"`       // bound on the false discovery rate
	Method        string  `json:"method"`      // that controls it
	Compared      int     `json:"compared"`    // benchmarks that share it
	Discoveries   int     `json:"discoveries"` // found to be above FailAbove
	Looks         []int   `json:"looks"`       // numbers of pairs after which a benchmark may be decided
}

// bound is what the rule promises, in a sentence.
func (r SuiteRule) bound() string {
	return fmt.Sprintf("without any regression, noise turns at most %s of builds red; of what is called a regression at most that share is false (%s over %s); what is slower by %s or less turns none red",
		text.Percent(r.Alpha), r.Method, text.Plural(r.Compared, "benchmark"), text.Percent(r.FailAbove))
}

// SuiteCost is what the job took. Seconds are of everything; the hunts' builds
// and processes are in their reports.
type SuiteCost struct {
	Builds    int     `json:"builds"`
	Processes int     `json:"processes"`
	Hunts     int     `json:"hunts"`
	Seconds   float64 `json:"seconds"`
	Budget    float64 `json:"budget"` // seconds
	Seed      uint64  `json:"seed"`
	Fleet     *Fleet  `json:"fleet,omitempty"` // nil where all ran on this machine
}

// Outcome is what became of one benchmark.
type Outcome string

// The outcomes. Only IsRegression turns a build red; IsUnknown does where the
// rule says so. With IsFailed the job could not be done.
const (
	IsRegression Outcome = "regression" // slower by more than the limit, and not accepted
	IsAccepted   Outcome = "accepted"   // a regression that an entry silences
	IsUnknown    Outcome = "unknown"    // not decided, or not seen again
	IsFailed     Outcome = "failed"     // does not build or run in bad
	IsBaseFailed Outcome = "no-base"    // does not build or run in good: there is nothing to compare with
	IsSlower     Outcome = "slower"     // slower, but not by more than the limit
	IsFaster     Outcome = "faster"
	IsUnharmed   Outcome = "ok"         // not slower by more than the limit
	IsSkipped    Outcome = "skipped"    // skips itself
	IsNew        Outcome = "new"        // only bad has it
	IsRemoved    Outcome = "removed"    // only good has it
	IsUnchanged  Outcome = "unchanged"  // runs no changed code, and is not compared
	IsUnselected Outcome = "unselected" // not compared
	IsChosen     Outcome = "chosen"     // would be compared, and was only asked for
)

// outcomes is the order in which they are shown.
var outcomes = []Outcome{
	IsRegression, IsAccepted, IsUnknown, IsFailed, IsBaseFailed, IsSlower,
	IsFaster, IsUnharmed, IsUnchanged, IsSkipped, IsNew, IsRemoved, IsUnselected, IsChosen,
}

// Benchmark is one benchmark, or sub-benchmark, of a suite.
type Benchmark struct {
	Package    string      `json:"package"`            // import path
	Dir        string      `json:"dir"`                // slash path of the package, relative to the repository's top
	Name       string      `json:"name"`               // with that of the sub-benchmark: BenchmarkX/size=10
	Position   string      `json:"position,omitempty"` // file:line:column of its function
	Outcome    Outcome     `json:"outcome"`
	Selected   string      `json:"selected"`         // why it was compared, or why not
	Reason     string      `json:"reason,omitempty"` // of the outcome, where it needs one
	P          *float64    `json:"p"`                // chance to look this slow without being above the limit; nil when not compared
	Delta      *Delta      `json:"delta"`            // of the suite's comparison; nil when not compared
	Acceptance *Acceptance `json:"acceptance,omitempty"`
	Report     *Report     `json:"report"` // pinpoint/report/v1; nil when not compared
}

// FullName is the benchmark's name with its import path.
func (b Benchmark) FullName() string { return b.Package + "." + b.Name }

// Acceptance is an entry of the file of accepted regressions.
type Acceptance struct {
	File      string `json:"file"` // slash path, relative to the repository's top
	Line      int    `json:"line"`
	Benchmark string `json:"benchmark"`
	Culprit   string `json:"culprit"`
	Commit    string `json:"commit"`
	Reason    string `json:"reason"`
}

// Stale is an entry that silences nothing any more.
type Stale struct {
	Acceptance
	Why string `json:"why"`
}

// ExitStatus is what the command exits with: 1 for a regression, 2 when a
// benchmark of bad could not be run, 3 for what is not decided where that is to
// fail, else 0.
func (s *Suite) ExitStatus() int {
	switch {
	case s.count(IsRegression) > 0 || slices.ContainsFunc(s.Alarms, func(a Alarm) bool { return a.Report != nil && a.Finding == Confirmed }):
		return 1
	case s.Error != "" || s.count(IsFailed) > 0:
		return 2
	case s.Rule.FailOnUnknown && s.count(IsUnknown) > 0:
		return 3
	}
	return 0
}

func (s *Suite) count(o Outcome) int {
	n := 0
	for _, b := range s.Benchmarks {
		if b.Outcome == o {
			n++
		}
	}
	return n
}

// of lists the benchmarks of an outcome, in order.
func (s *Suite) of(o Outcome) []Benchmark {
	var list []Benchmark
	for _, b := range s.Benchmarks {
		if b.Outcome == o {
			list = append(list, b)
		}
	}
	return list
}

// compared is how many benchmarks have samples.
func (s *Suite) compared() int {
	n := 0
	for _, b := range s.Benchmarks {
		if b.Delta != nil {
			n++
		}
	}
	return n
}

// WriteJSON writes the suite as indented JSON with a final newline. Lists are
// never null.
func (s *Suite) WriteJSON(w io.Writer) error {
	out := *s
	out.Schema, out.Failed = SuiteSchema, s.ExitStatus() != 0
	out.Benchmarks = make([]Benchmark, len(s.Benchmarks))
	for i, b := range s.Benchmarks {
		if b.Report != nil {
			r := b.Report.complete()
			b.Report = &r
		}
		out.Benchmarks[i] = b
	}
	out.Alarms = slices.Clone(s.Alarms)
	for i, a := range out.Alarms {
		if a.Report != nil {
			r := a.Report.complete()
			out.Alarms[i].Report = &r
		}
	}
	out.Stale, out.Warnings, out.Rule.Looks = orEmpty(s.Stale), orEmpty(s.Warnings), orEmpty(s.Rule.Looks)
	return output.JSON(w, out)
}

// headline is the outcome of the whole in one phrase.
func (s *Suite) headline() string {
	if s.Error != "" && s.compared() == 0 {
		return "the job could not be done"
	}
	var parts []string
	limit := text.Percent(s.Rule.FailAbove)
	for _, p := range []struct {
		outcome Outcome
		one     string
		many    string
	}{
		{IsRegression, "regression above " + limit, "regressions above " + limit},
		{IsAccepted, "accepted regression", "accepted regressions"},
		{IsFailed, "benchmark failed", "benchmarks failed"},
		{IsUnknown, "not decided", "not decided"},
	} {
		switch n := s.count(p.outcome); {
		case n == 1:
			parts = append(parts, "1 "+p.one)
		case n > 1:
			parts = append(parts, strconv.Itoa(n)+" "+p.many)
		}
	}
	switch n := s.compared(); {
	case s.count(IsChosen) > 0:
		return text.Plural(s.count(IsChosen), "benchmark") + " of " + strconv.Itoa(len(s.Benchmarks)) + " would be compared"
	case len(parts) > 0:
		return strings.Join(parts, ", ") + " of " + text.Plural(len(s.Benchmarks), "benchmark")
	case n == 0 && s.count(IsUnchanged) > 0:
		return "no regression: " + s.unchanged()
	case n == 0 && s.count(IsUnselected) < len(s.Benchmarks):
		return "nothing was compared of " + text.Plural(len(s.Benchmarks), "benchmark")
	case n == 0:
		return "nothing to compare: no change reaches any of " + text.Plural(len(s.Benchmarks), "benchmark")
	}
	said := fmt.Sprintf("no regression above %s in %s", limit, text.Plural(s.compared(), "benchmark"))
	if s.count(IsUnchanged) > 0 {
		said += "; " + s.unchanged()
	}
	return said
}

// unchanged says how many benchmarks run nothing that differs.
func (s *Suite) unchanged() string {
	verb := "run"
	n := s.count(IsUnchanged)
	if n == 1 {
		verb = "runs"
	}
	return text.Plural(n, "benchmark") + " " + verb + " no changed code"
}

// change is how much slower bad is, with its interval: "+12 % [+10, +14]".
func (b Benchmark) change() string {
	if b.Delta == nil || b.Delta.Ratio == nil {
		return ""
	}
	r := *b.Delta.Ratio
	return text.Change(r.Mean, r.Low, r.High)
}

// site is where a reader of bad should look first: at the culprit or suspect; if that lies
// outside of the repository, or only in good, where the chain to it was last in
// bad; at the benchmark if there is no culprit.
func (b Benchmark) site() (site, bool) {
	if b.Report != nil && len(b.Report.Culprits) > 0 {
		c := b.Report.Culprits[0]
		if s, ok := siteOf(c.Position); ok && c.Kind != RemovedCall {
			return s, true
		}
		for i := len(c.Chain) - 1; i >= 0; i-- {
			if c.Kind == RemovedCall && i == len(c.Chain)-1 {
				continue
			}
			if s, ok := siteOf(c.Chain[i].Position); ok {
				return s, true
			}
		}
	}
	return siteOf(b.Position)
}
