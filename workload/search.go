package workload

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Options say where workloads are looked for. The zero value of a field is its default.
type Options struct {
	Dir      string           // where the repository is looked for; default "."
	Rev      string           // the revision, or backup.Worktree
	Packages []string         // patterns, as the go command has them, of packages with tests; default all of the main modules
	Process  harness.Workload // what every process gets: processors, timeout, environment
	Time     time.Duration    // for looking; what is not looked at by then is listed; default DefaultTime
	Tags     string           // build tags, comma separated
	CacheDir string           // of the private trees; default the user's cache directory
	Progress func(phase string, done, total int)
}

// DefaultTime is that of Options.Time.
const DefaultTime = 3 * time.Minute

// A Search looks for workloads in one revision.
type Search struct {
	opts     Options
	end      time.Time
	set      *revision.Set
	rev      *revision.Revision // at Options.Dir
	patterns []string           // of packages that were looked at
	code     []listed           // the packages of the tree
	packages []*pkg             // those of them that may have a workload
}

// Open takes a private copy of the revision and lists its packages.
func Open(ctx context.Context, opts Options) (*Search, error) {
	if opts.Time == 0 {
		opts.Time = DefaultTime
	}
	if opts.Progress == nil {
		opts.Progress = func(string, int, int) {}
	}
	s := &Search{opts: opts, end: time.Now().Add(opts.Time)}
	s.progress("looking for what runs it: listing packages")
	var err error
	s.set, err = revision.Open(ctx, revision.Spec{Dir: opts.Dir, Workload: opts.Process, Tags: opts.Tags, CacheDir: opts.CacheDir}, opts.Rev)
	if err != nil {
		return nil, err
	}
	s.rev = s.set.All()[0]
	if err := s.list(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close removes what was built. The private tree stays for the next one.
func (s *Search) Close() { s.set.Close() }

// Below is a directory of the private tree relative to Options.Dir, with slashes.
func (s *Search) Below(dir string) (string, error) {
	rel, err := filepath.Rel(s.rev.PackageDir, dir)
	return filepath.ToSlash(rel), err
}

// Process is what every process gets.
func (s *Search) Process() harness.Workload { return s.opts.Process }

func (s *Search) progress(format string, args ...any) {
	s.opts.Progress(fmt.Sprintf(format, args...), 0, 0)
}

// late says whether the time is up.
func (s *Search) late() bool { return time.Now().After(s.end) }
