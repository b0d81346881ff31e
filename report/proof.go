package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// How says by what a culprit is accused.
type How string

// The ways to accuse. Confirmed means put back and gone; what only probes say is a
// suspicion, however sure they are of the time.
const (
	ByPutBack How = "put-back" // with good's code for it in bad, the difference is gone
	ByProbes  How = "probes"   // it takes longer between its probes; nothing was put back
)

// named says that the culprit may be called one.
func (c Culprit) named() bool { return c.Confirmed && c.How != ByProbes }

// label is what the culprit is called.
func (c Culprit) label() string {
	switch {
	case c.named():
		return "culprit"
	case c.How == ByProbes:
		return "suspected, by probes"
	}
	return "suspect"
}

// heading is the label at the beginning of a sentence.
func (c Culprit) heading() string {
	label := c.label()
	return strings.ToUpper(label[:1]) + label[1:]
}

// Layout is a comparison in one order that the linker put functions in.
type Layout struct {
	Seed  uint64   `json:"seed"` // of the order; 0 is the linker's own
	Pairs int      `json:"pairs"`
	Good  float64  `json:"good"`
	Bad   float64  `json:"bad"`
	Ratio Interval `json:"ratio"` // low and high are equal to the mean where there are too few pairs for an interval
}

// overLayouts says how the ratio varies with the link order; nothing of fewer than two.
func overLayouts(list []Layout) string {
	if len(list) < 2 {
		return ""
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range list {
		low, high = min(low, l.Ratio.Mean), max(high, l.Ratio.Mean)
	}
	return fmt.Sprintf("%s: %sx to %sx", text.Plural(len(list), "link order"), text.Significant(low, 3), text.Significant(high, 3))
}

// Triples are the samples of a proof, per operation: Good[i], Back[i] and Bad[i] took
// turns in one round, in the order of Turns[i]. Their unit is the whole's.
type Triples struct {
	Good    []float64 `json:"good"`
	Back    []float64 `json:"back"` // bad with good's code for the culprit
	Bad     []float64 `json:"bad"`
	Turns   []string  `json:"turns,omitempty"`   // such as "good back bad"
	Layouts []uint64  `json:"layouts,omitempty"` // by round, the seed of the link order; none: all in the linker's own
}

// means are those of the three.
func (t *Triples) means() (good, back, bad float64) {
	return meanOf(t.Good), meanOf(t.Back), meanOf(t.Bad)
}

func meanOf(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(max(1, len(list)))
}

// Trial is good's code for something that was put back into bad, and what that showed.
type Trial struct {
	Functions []string     `json:"functions"`       // or data, or module versions: put back together
	Along     []string     `json:"along,omitempty"` // what had to come with them
	Outcome   TrialOutcome `json:"outcome"`
	Recovered *Interval    `json:"recovered"`     // share of the whole difference that was gone; nil where it did not run
	Why       string       `json:"why,omitempty"` // of the outcome
	Began     float64      `json:"began"`         // seconds since the hunt began
	Seconds   float64      `json:"seconds"`
}

// TrialOutcome is what a trial showed.
type TrialOutcome string

// What a trial may show.
const (
	TrialGone      TrialOutcome = "gone"       // all or most of the difference
	TrialPart      TrialOutcome = "part"       // some of it
	TrialCleared   TrialOutcome = "cleared"    // the difference is still there
	TrialOpen      TrialOutcome = "open"       // not decided
	TrialNotBuilt  TrialOutcome = "not-built"  // does not compile with good's code
	TrialNotRun    TrialOutcome = "not-run"    // fails with it
	TrialNotProbed TrialOutcome = "not-probed" // refused
)

// Phase is a stretch of the hunt, for its timeline.
type Phase struct {
	What    string  `json:"what"`
	Began   float64 `json:"began"` // seconds since the hunt began
	Seconds float64 `json:"seconds"`
}

// Fact is one piece of evidence, for who acts on it; Text says the same in words.
type Fact struct {
	Kind     string   `json:"kind"`               // such as code, allocations, compiler, waits, calls, module, tests
	Function string   `json:"function,omitempty"` // that it is about
	Position string   `json:"position,omitempty"` // file:line:column, in bad where it has the line
	Good     *float64 `json:"good,omitempty"`
	Bad      *float64 `json:"bad,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	Text     string   `json:"text"`
}

// Attest adds a fact to a culprit's evidence, and its text to what is read.
func (c *Culprit) Attest(f Fact) {
	c.Facts = append(c.Facts, f)
	c.Evidence = append(c.Evidence, f.Text)
}

// proof writes what the rounds of a proof say.
func (t printer) proof(r *Reverted, unit string) {
	if r == nil {
		return
	}
	if s := r.Triples; s != nil && len(s.Good) > 0 {
		good, back, bad := s.means()
		in := scaleFor(max(good, back, bad), unit)
		t.Item("  - ", fmt.Sprintf("in %s of good, bad with good's code, and bad: %s, %s, %s %s",
			text.Plural(len(s.Good), "round"), in.format(good), in.format(back), in.format(bad), perOp(in.Unit)))
	}
	if over := overLayouts(r.Delta.Layouts); over != "" {
		t.Item("  - ", "bad against bad with good's code, in "+over)
	}
}

// cleared writes what was put back and is not to blame.
func (t printer) cleared(list []Trial) {
	var names []string
	for _, trial := range list {
		if trial.Outcome == TrialCleared {
			names = append(names, trial.title())
		}
	}
	if len(names) == 0 {
		return
	}
	t.Paragraph()
	t.Item("cleared  ", fmt.Sprintf("%s put back without the difference going: %s",
		text.Plural(len(names), "suspect"), strings.Join(firstOf(names, mostShown), ", ")))
}

// title names what was put back.
func (t Trial) title() string {
	var names []string
	for _, f := range t.Functions {
		names = append(names, shortFunction(f))
	}
	return strings.Join(firstOf(names, 3), " with ")
}

// firstOf lists some, and says how many it leaves out.
func firstOf(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(list[:n:n], fmt.Sprintf("%d more", len(list)-n))
}
