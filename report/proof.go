package report

// How says by what a culprit is accused.
type How string

// The ways to accuse. Confirmed means put back and gone; what only probes say is a
// suspicion, however sure they are of the time.
const (
	ByPutBack How = "put-back" // with good's code for it in bad, the difference is gone
	ByProbes  How = "probes"   // it takes longer between its probes; nothing was put back
)

// Layout is a comparison in one order that the linker put functions in.
type Layout struct {
	Seed  uint64   `json:"seed"` // of the order; 0 is the linker's own
	Pairs int      `json:"pairs"`
	Good  float64  `json:"good"`
	Bad   float64  `json:"bad"`
	Ratio Interval `json:"ratio"` // low and high are equal to the mean where there are too few pairs for an interval
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
	Functions []string     `json:"functions"`           // or data, or module versions: put back together
	Along     []string     `json:"along,omitempty"`     // what had to come with them
	OnTopOf   []string     `json:"on_top_of,omitempty"` // those of them that are back in what this was held against, too
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

// Spent is for how long something of a kind went on. Kinds overlap: a command is a part of
// a build, and one revision is loaded while the other is built.
type Spent struct {
	Kind    string  `json:"kind"` // build, load, compose, command, process or wait
	Seconds float64 `json:"seconds"`
}

// Fact is one piece of evidence, for who acts on it; Text says the same in words.
type Fact struct {
	Kind     string   `json:"kind"`               // such as put-back, code, compiler, waits, calls, module, profile, tests
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

// Counted is how often a function is called per operation in good and in bad, as far as that
// is a fact; 0 in both where it is not.
func (c *Culprit) Counted(function string) (good, bad float64) {
	for _, f := range c.Facts {
		if f.Unit == "calls/op" && f.Function == function && f.Good != nil && f.Bad != nil {
			return *f.Good, *f.Bad
		}
	}
	return 0, 0
}

// AttestAll adds facts of one kind that have neither place nor numbers.
func (c *Culprit) AttestAll(kind string, texts ...string) {
	for _, text := range texts {
		c.Attest(Fact{Kind: kind, Text: text})
	}
}
