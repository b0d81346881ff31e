package harness

import (
	"strconv"
	"time"
)

// Kind says how a workload is run and what one of its samples is.
type Kind int

const (
	Bench Kind = iota // a benchmark: batches of b.N iterations, timed by package testing
	Test              // tests: one sample a process, from exec to exit
	Main              // a main program: one sample a process, from exec to exit
)

func (k Kind) String() string {
	switch k {
	case Bench:
		return "benchmark"
	case Test:
		return "test"
	case Main:
		return "program"
	}
	return "workload " + strconv.Itoa(int(k))
}

// DefaultTimeout ends a process that was given no timeout, as go test does.
const DefaultTimeout = 10 * time.Minute

// Workload is what is run to exercise the code, the same on both sides.
type Workload struct {
	Kind    Kind
	Pattern string        // Bench: as Pattern has it; Test: the regular expression of -run
	Args    []string      // Main: the program's arguments; otherwise what follows the flags of package testing
	Input   []byte        // standard input, from a file; nil is /dev/null
	CPUs    int           // GOMAXPROCS of the child; 0 leaves it to the runtime. With 1, a pair shares one processor.
	Timeout time.Duration // of one process; 0 is DefaultTimeout
	Round   int64         // Bench: iterations that do different things in turn, so that a batch has a multiple of it; 0: they are alike
	Env     []string      // names that pass to the child beyond the documented ones
	Memory  int64         // bytes that a process may write to, where that can be bounded; 0 is HalfOfMemory
	Writes  []string      // files that the process is asked to write, by Args or Set; a sandbox has these
	Set     []string      // NAME=value for the child's environment, whatever this process has
}

func (w Workload) timeout() time.Duration {
	if w.Timeout > 0 {
		return w.Timeout
	}
	return DefaultTimeout
}

// rounded is the next number of iterations that does all that they do in turn.
func (w Workload) rounded(n int64) int64 {
	if w.Round < 2 || w.Kind != Bench {
		return n
	}
	return (n + w.Round - 1) / w.Round * w.Round
}

// memory is how much memory a process of the binary may have. The detector of races maps
// more than there is.
func (w Workload) memory(b Binary) int64 {
	switch {
	case b.Sanitized:
		return 0
	case w.Memory > 0:
		return w.Memory
	}
	return HalfOfMemory()
}

// describe names the workload as the user named it.
func (w Workload) describe() string {
	if w.Pattern == "" {
		return w.Kind.String()
	}
	return w.Kind.String() + " " + w.Pattern
}

// calibrationTime is the -benchtime of a calibrating process. It is long
// enough for package testing to leave its first guesses (1, 100, 10000) behind.
const calibrationTime = 30 * time.Millisecond

// arguments are those of the child for one process under order o.
//
// The flags of package testing are the ones that go test passes, except that
// the timeout is our own: a panic of the child's would be told apart from a
// failing workload only by its text. And -test.count orders the batches of one
// launch of a benchmark, see instrument.TestingHook.
func (w Workload) arguments(o Order) []string {
	if w.Kind == Main {
		return w.Args
	}
	args := []string{"-test.paniconexit0", "-test.timeout=0"}
	switch w.Kind {
	case Bench:
		if o.verbose {
			args = append(args, "-test.v=true")
		}
		bench, skip := testingPatterns(w.Pattern)
		if skip != "" {
			args = append(args, "-test.skip="+skip)
		}
		args = append(args, "-test.run=^$", "-test.bench="+bench,
			"-test.benchtime="+o.benchtime(), "-test.count="+strconv.Itoa(o.batches()))
	case Test:
		args = append(args, "-test.run="+w.Pattern, "-test.v="+strconv.FormatBool(o.verbose), "-test.count=1")
	}
	if w.CPUs > 0 {
		args = append(args, "-test.cpu="+strconv.Itoa(w.CPUs))
	}
	return append(args, w.Args...)
}

// Order says what one process is asked for.
type Order struct {
	N       int64     // iterations of a batch; 0 lets package testing find the count, for calibration
	Batches int       // batches of N; 0 is 1; when N is 0 it is 1 always
	On      [][]int   // IDs of the probes that are switched on, see instrument.BoardSpec
	seat    *seat     // where it takes turns with other processes; nil: it has the machine alone
	pin     int       // the processor, counted from 1; 0: all
	count   *[2]event // what is counted in the place of instructions and cycles
	verbose bool      // print what was skipped; nothing is measured then, since it shows to the program
}

func (o Order) batches() int {
	if o.N == 0 || o.Batches < 1 {
		return 1
	}
	return o.Batches
}

func (o Order) events() [2]event {
	if o.count != nil {
		return *o.count
	}
	return instructionsAndCycles
}

func (o Order) benchtime() string {
	if o.N == 0 {
		return calibrationTime.String()
	}
	return strconv.FormatInt(o.N, 10) + "x"
}
