package measure

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/pinpoint-go/pinpoint/revision"
)

// IsPattern says whether Options.Package stands for several packages, as ./... does.
func (o *Options) IsPattern() bool { return strings.Contains(o.Package, "...") }

// Packages are the directories that a pattern stands for: those of the packages that
// declare what the workload names in all revisions, and apart from them in only some. It
// is an error for there to be none.
func Packages(ctx context.Context, opts Options) (all, some []string, err error) {
	opts.setDefaults()
	set, err := revision.Open(ctx, revision.Spec{
		Dir: opts.Dir, Tags: opts.Tags, Toolchains: opts.Toolchains, CacheDir: opts.CacheDir, Unbuilt: true,
	}, opts.Revs...)
	if err != nil {
		return nil, nil, err
	}
	defer set.Close()
	have := map[string]int{}
	var dirs []string
	for _, rev := range set.All() {
		held, err := rev.Holding(ctx, opts.Package, opts.Workload)
		if err != nil {
			return nil, nil, err
		}
		for _, dir := range held {
			if have[dir]++; have[dir] == 1 {
				dirs = append(dirs, dir)
			}
		}
	}
	for _, dir := range dirs {
		if have[dir] == len(set.All()) {
			all = append(all, dir)
		} else {
			some = append(some, dir)
		}
	}
	if len(all) == 0 {
		err = &NoneError{opts.Workload.Kind.String(), opts.Package, opts.Workload.Pattern}
	}
	return all, some, err
}

// A NoneError says that nothing is there to be measured.
type NoneError struct{ Kind, Package, Pattern string }

func (e *NoneError) Error() string {
	return fmt.Sprintf("no %s in %s matches %q", e.Kind, e.Package, e.Pattern)
}

// Results are those of several packages.
type Results []*Result

// WriteBenchfmt writes them as [Result.WriteBenchfmt] does, one after the other.
func (all Results) WriteBenchfmt(w io.Writer) error { return all.each(w, (*Result).WriteBenchfmt) }

// WriteBatches writes their batches.
func (all Results) WriteBatches(w io.Writer) error { return all.each(w, (*Result).WriteBatches) }

func (all Results) each(w io.Writer, write func(*Result, io.Writer) error) error {
	for _, r := range all {
		if err := write(r, w); err != nil {
			return err
		}
	}
	return nil
}
