package revision

import (
	"fmt"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// Spec says what is opened of every revision. The zero value of a field is its default.
type Spec struct {
	Dir      string           // where the repository is looked for: any directory of it, or a git directory; default "."
	Package  string           // directory of the workload's package, relative to Dir; default "."
	Workload harness.Workload // without a pattern: no particular one
	// Brought are test files that lie over the package, too, by their names in it.
	Brought map[string][]byte
	Driver  string // a _test.go file to lay over the package
	Tags    string // build tags, comma separated
	PGO     string // off, or the absolute name of a profile that all are compiled by; default what each revision has
	// Toolchains are the names of those that build the revisions, [harness.OwnToolchain]
	// among them: of a pair good's and bad's; of several each builds every revision.
	// Default: one that all revisions share, the newest that they ask for.
	Toolchains []string
	Fetching   func(toolchain string) // told before one is fetched; default: silent
	Meter      instrument.Meter       // of builds that name none, and of what is compiled in loading
	Gauges     []instrument.Gauge     // of builds that name none
	CacheDir   string                 // of the private trees; default the user's cache directory
	// Unbuilt is for code that is only read: nothing of the probes' is laid over it.
	Unbuilt bool
}

func (s *Spec) setDefaults() (err error) {
	if s.Dir == "" {
		s.Dir = "."
	}
	if s.Package == "" {
		s.Package = "."
	}
	if s.CacheDir == "" {
		s.CacheDir, err = backup.CacheDir()
	}
	return err
}

// A LackingError says what a revision lacks.
type LackingError struct {
	Label string // the revision; "" is all of them
	What  string // directory, benchmark or test
	Name  string // the directory, or the pattern that nothing matches
	Where string // the package's directory
}

func (e *LackingError) Error() string {
	switch {
	case e.What == "directory":
		return fmt.Sprintf("--pkg %s: %s has no such directory", e.Name, e.Label)
	case e.Label != "":
		return fmt.Sprintf("no %s in %s matches %q in %s", e.What, e.Where, e.Name, e.Label)
	}
	return fmt.Sprintf("no %s in %s matches %q, in neither revision: name one that exists or give a file with --driver", e.What, e.Where, e.Name)
}
