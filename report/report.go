// Package report says what a hunt found: as JSON for scripts, as text for
// people. It promises that what is not known is printed as not known: an
// interval comes with its confidence, a culprit says whether it was confirmed,
// and what was refused or left undecided is listed beside what was found.
//
// A report holds results only. It knows nothing of how they were measured, so
// that a report read back from a file prints as it did when it was made.
package report

// Schema names the JSON layout. Fields are added under the same name, never
// renamed or removed.
const Schema = "pinpoint/report/v1"

// Report is the result of a hunt or of a comparison.
type Report struct {
	Schema      string       `json:"schema"`
	Verdict     Verdict      `json:"verdict"`
	Workload    Workload     `json:"workload"`
	Good        Revision     `json:"good"`
	Bad         Revision     `json:"bad"`
	Whole       *Delta       `json:"whole"`                 // of the unprobed pair; nil when it could not be measured
	WholeMean   *Delta       `json:"whole_mean,omitempty"`  // the same by the mean of all batches, which sees what few of them pay
	PeakMemory  *Delta       `json:"peak_memory,omitempty"` // of the processes of tests and programs, nil where it is not told; it decides nothing
	Work        *Work        `json:"work,omitempty"`        // nil where it was not counted; it decides nothing
	Culprits    []Culprit    `json:"culprits"`              // largest share first
	Unexplained *float64     `json:"unexplained"`           // share of the whole difference that no culprit accounts for; nil when there was no search
	Undecided   []Undecided  `json:"undecided,omitempty"`
	ProbeEffect *ProbeEffect `json:"probe_effect,omitempty"`
	Search      Search       `json:"search"`
	Bisect      *Bisect      `json:"bisect,omitempty"` // nil where no commit was searched for
	Warnings    []string     `json:"warnings"`
	NotSlower   bool         `json:"not_slower,omitempty"` // no regression, and whether it is the same or faster is open
	Idle        string       `json:"idle,omitempty"`       // why nothing had to be compared: the workload runs nothing of what differs
	Tried       []Trial      `json:"tried,omitempty"`      // what was put back, in order
	Continue    string       `json:"continue,omitempty"`   // the command that takes an undecided hunt further
	Repeat      string       `json:"repeat,omitempty"`     // the command that does the same again, with the same seed
	Error       string       `json:"error,omitempty"`      // what ended the hunt early
	Provenance  Provenance   `json:"provenance"`
}

// Work is what bad executes, as a multiple of what good does: a count of the processor,
// which says how a difference of time comes about.
type Work struct {
	Instructions Interval `json:"instructions"`
	Cycles       Interval `json:"cycles"`
	Says         string   `json:"says,omitempty"` // of a bad that is slower, in words; empty where counts don't tell
}

// Verdict is the answer of the whole report.
type Verdict string

// The verdicts. Inconclusive is an answer too: the report then says what would
// settle it. Mixed is one where the typical operation and the mean of all changed in
// opposite directions: which counts is for the reader to say.
const (
	Regression   Verdict = "regression"
	NoRegression Verdict = "no-regression"
	Improvement  Verdict = "improvement"
	Mixed        Verdict = "mixed"
	Inconclusive Verdict = "inconclusive"
)

// Workload names what was run.
type Workload struct {
	Kind         string   `json:"kind"`    // bench, test, main or serve
	Package      string   `json:"package"` // import path
	Pattern      string   `json:"pattern,omitempty"`
	Name         string   `json:"name,omitempty"` // the benchmark that the pattern chose
	Args         []string `json:"args,omitempty"`
	Driver       string   `json:"driver,omitempty"`
	Carried      string   `json:"carried,omitempty"` // which revision lacked the workload and got the other's files
	CarriedFiles []string `json:"carried_files,omitempty"`
	Func         string   `json:"func,omitempty"` // the inspected function
	Metric       string   `json:"metric"`
	Chosen       *Chosen  `json:"chosen,omitempty"` // nil where the user named it
	Server       *Server  `json:"server,omitempty"` // nil where none is asked
}

// Server is what is asked of a server, of which an operation is one request, or one run of
// a load.
type Server struct {
	Ready    string `json:"ready"` // the URL that it is ready by
	Requests int    `json:"requests,omitempty"`
	Load     string `json:"load,omitempty"` // a shell's command
}

// Revision is one side of the comparison.
type Revision struct {
	Rev    string `json:"rev"`    // as the user named it
	Commit string `json:"commit"` // full hash; for WORKTREE the commit it sits on
	// Toolchain built it, such as go1.26.1.
	Toolchain string `json:"toolchain,omitempty"`
	PGO       string `json:"pgo,omitempty"` // off, or the file of the profile that it is compiled by; empty: by none
}

// Interval is an estimate with its confidence interval.
type Interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Delta is one quantity in both revisions. Ratio is nil where good has none to
// divide by (an added call).
type Delta struct {
	Good       float64   `json:"good"`
	Bad        float64   `json:"bad"`
	Diff       Interval  `json:"diff"`
	Ratio      *Interval `json:"ratio"`
	Confidence float64   `json:"confidence"`
	Unit       string    `json:"unit"`
	Pairs      int       `json:"pairs,omitempty"`
	Exact      bool      `json:"exact,omitempty"`    // a count of which all processes of a side agree
	Layouts    []Layout  `json:"layouts,omitempty"`  // by link order, where several were compared; the delta is then over all of them
	Machines   *Machines `json:"machines,omitempty"` // by kind of machine, where a fleet has several
}

// Kind says what about the culprit's function is to blame.
type Kind string

// The kinds of culprits.
const (
	Call        Kind = "call"         // a call expression whose callee got slower
	OwnCode     Kind = "own-code"     // what the function does outside its calls
	AddedCall   Kind = "added-call"   // a call that good does not make
	RemovedCall Kind = "removed-call" // a call that bad no longer makes
	Range       Kind = "range"        // several adjacent calls, none of them guilty alone
	Built       Kind = "built"        // no code: a profile that the compiler goes by, or the toolchain
)

// Culprit is one function that is to blame, with how the search came to it.
type Culprit struct {
	Function   string     `json:"function"`
	Instance   string     `json:"instance,omitempty"`
	Kind       Kind       `json:"kind"`
	Call       string     `json:"call,omitempty"` // the call expression, where a call is to blame
	Position   string     `json:"position"`
	Elsewhere  bool       `json:"elsewhere,omitempty"` // its code makes other code slower, and itself takes little of it
	Share      float64    `json:"share"`               // of the whole difference
	Delta      Delta      `json:"delta"`               // at the speed that the whole was measured at
	CallsGood  float64    `json:"calls_good"`          // per operation; 0 in both where it is not known
	CallsBad   float64    `json:"calls_bad"`
	Chain      []Step     `json:"chain"`
	Stop       string     `json:"stop"` // why the search went no deeper
	Evidence   []string   `json:"evidence"`
	Facts      []Fact     `json:"facts,omitempty"` // what of the evidence has numbers or a place
	Commits    []Commit   `json:"commits"`
	Confirmed  bool       `json:"confirmed"` // slower again on fresh processes, measured alone
	How        How        `json:"how,omitempty"`
	Confirming *Delta     `json:"confirming,omitempty"`
	Reverted   *Reverted  `json:"reverted,omitempty"`
	Statement  *Statement `json:"statement,omitempty"` // of its own code, where most of the difference is in one
	Diff       string     `json:"diff,omitempty"`      // of its own code, from good to bad, in unified form
	// Allocations are nil where both revisions allocate alike.
	Allocations *Allocations `json:"allocations,omitempty"`
}

// Statement is one that the body of a culprit is made of.
type Statement struct {
	Position string `json:"position"`
	Text     string `json:"text"`           // its first line
	Loop     bool   `json:"loop"`           // it is a loop
	Changed  bool   `json:"changed"`        // it does not say the same in both revisions
	Only     string `json:"only,omitempty"` // good or bad, if only that side has a statement of its kind in its place
	Delta    Delta  `json:"delta"`
	// Rounds are how often a loop goes round per operation, or how often another
	// statement is executed.
	RoundsGood float64 `json:"rounds_good"`
	RoundsBad  float64 `json:"rounds_bad"`
}

// Allocations is what one operation allocates in a function and all that it
// calls, recorded one by one.
type Allocations struct {
	AllocsGood float64          `json:"allocs_good"`
	AllocsBad  float64          `json:"allocs_bad"`
	BytesGood  float64          `json:"bytes_good"`
	BytesBad   float64          `json:"bytes_bad"`
	Sites      []AllocationSite `json:"sites"` // where they differ, most bytes first
}

// AllocationSite is a line at which one revision allocates more than the other.
type AllocationSite struct {
	Function   string  `json:"function"`
	Position   string  `json:"position"` // file:line, in bad where it has the line
	Text       string  `json:"text"`     // of the line
	AllocsGood float64 `json:"allocs_good"`
	AllocsBad  float64 `json:"allocs_bad"`
	BytesGood  float64 `json:"bytes_good"`
	BytesBad   float64 `json:"bytes_bad"`
}

// Reverted is what was seen when bad was built with only the culprit's code from
// good. It is evidence, never offered as a fix.
type Reverted struct {
	Recovered Interval `json:"recovered"` // share of the whole difference that is gone
	Level     string   `json:"level"`     // how much of good had to come along
	Functions []string `json:"functions"` // taken from good
	Decls     []string `json:"decls,omitempty"`
	Delta     Delta    `json:"delta"` // bad against bad with good's code
	Notes     []string `json:"notes,omitempty"`
	Tests     string   `json:"tests,omitempty"` // what the package's tests say of it; empty when they were not run
	Triples   *Triples `json:"triples,omitempty"`
}

// Step is one link of the chain from the inspected function to the culprit:
// in Function, Call is the guilty part.
type Step struct {
	Function string  `json:"function"`
	Call     string  `json:"call"`
	Position string  `json:"position"`
	Share    float64 `json:"share"`
	Delta    *Delta  `json:"delta"` // nil where the step follows from the call graph and was not measured
}

// ProbeEffect is the whole operation without probes, with probes in a function
// but switched off, and with them on.
type ProbeEffect struct {
	Function   string   `json:"function"`
	Unprobed   Delta    `json:"unprobed"`
	Off        Delta    `json:"off"`
	On         Delta    `json:"on"`
	Subtracted float64  `json:"subtracted"` // the larger of the two that follow
	CostGood   float64  `json:"cost_good"`  // ns per operation that the probes added while they were on, and that was taken off the parts
	CostBad    float64  `json:"cost_bad"`
	Finding    string   `json:"finding,omitempty"` // empty: the difference is the same
	Why        []string `json:"why,omitempty"`     // what the compiler decided otherwise
}

// Undecided is a part that the samples could not decide.
type Undecided struct {
	Function string `json:"function"`
	Call     string `json:"call"` // empty where it is all of the function
	Position string `json:"position"`
	Delta    Delta  `json:"delta"`
	Need     int    `json:"need,omitempty"` // pairs that would settle it, by the spread seen so far
}

// Commit is one commit between the revisions that touched the culprit.
type Commit struct {
	Hash    string `json:"hash"`
	Side    string `json:"side"` // bad: only in bad's history; good: only in good's
	Author  string `json:"author"`
	Date    string `json:"date"`
	Subject string `json:"subject"`
}

// Search is what the hunt cost and how it was bounded.
type Search struct {
	Finder      string  `json:"finder"`
	Layers      int     `json:"layers"`
	Comparisons int     `json:"comparisons"`
	Builds      int     `json:"builds"`
	Processes   int     `json:"processes"`
	Disturbed   int     `json:"disturbed,omitempty"` // pairs that much processor time was taken from, and that ran again
	Seconds     float64 `json:"seconds"`
	Named       float64 `json:"named_seconds,omitempty"` // until the first culprit was named and confirmed; what follows shows how it is reached and gathers evidence
	Alpha       float64 `json:"alpha"`                   // bound on the chance that the hunt accuses at all when nothing got slower
	MinEffect   float64 `json:"min_effect"`              // share of the good whole below which a difference does not count
	Seed        uint64  `json:"seed"`
	Phases      []Phase `json:"phases,omitempty"` // in order
	Spent       []Spent `json:"spent,omitempty"`
	Fleet       *Fleet  `json:"fleet,omitempty"` // nil where all ran on this machine
}

// Provenance is what someone needs to check or repeat the hunt.
type Provenance struct {
	Pinpoint    string     `json:"pinpoint"`
	Date        string     `json:"date"`
	Host        []string   `json:"host"` // "key: value" lines as Go's benchmark format has them
	Environment []string   `json:"environment"`
	Commands    []string   `json:"commands"`
	Campaigns   []Campaign `json:"campaigns"`
	Iterations  Iterations `json:"iterations"`
	Refused     []Refused  `json:"refused,omitempty"`
}

// Iterations is how often one batch ran the operation on each side.
type Iterations struct {
	Good    int64 `json:"good"`
	Bad     int64 `json:"bad"`
	Batches int   `json:"batches"`
}

// Campaign is the raw samples of one comparison, in pairs: Good[i] and Bad[i]
// ran back to back, good first where GoodFirst[i]. Nanoseconds per operation.
type Campaign struct {
	What      string    `json:"what"`
	Good      []float64 `json:"good"`
	Bad       []float64 `json:"bad"`
	GoodFirst []bool    `json:"good_first"`
	Layouts   []uint64  `json:"layouts,omitempty"` // by pair, the seed of the link order; none: all in the linker's own
	Parts     []Part    `json:"parts,omitempty"`
	Disturbed Disturbed `json:"disturbed"`
}

// Disturbed is what the kernel counted while a campaign's pairs ran, in seconds over
// all of them; 0 is also what the system doesn't tell.
type Disturbed struct {
	CPU         float64   `json:"cpu"`         // of the pairs' processes
	Waited      float64   `json:"waited"`      // for which their threads were ready to run and had no processor
	Delay       float64   `json:"delay"`       // for which anything on the machine waited for one
	Foreign     float64   `json:"foreign"`     // CPU time of others
	Stolen      float64   `json:"stolen"`      // CPU time that the hypervisor gave to other guests
	Involuntary int64     `json:"involuntary"` // context switches that the processes didn't ask for
	Rates       []float64 `json:"rates"`       // by pair: what was lost to it per CPU time of its own, by which it may run again
}

// Part is one probed part in the samples of its campaign.
type Part struct {
	Call string    `json:"call"`
	Good []float64 `json:"good"`
	Bad  []float64 `json:"bad"`
}

// Refused is a call expression that could not be probed and counts as own code.
type Refused struct {
	Position string `json:"position"`
	Text     string `json:"text"`
	Reason   string `json:"reason"`
}

// ExitStatus is what the command exits with for this report. Of a mixed one the mean has
// the word: it is what users pay.
func (r *Report) ExitStatus() int {
	switch r.Verdict {
	case NoRegression, Improvement:
		return 0
	case Mixed:
		if r.WholeMean != nil && r.WholeMean.Diff.Mean <= 0 {
			return 0
		}
		return 1
	case Regression:
		return 1
	}
	return 3
}
