package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/driver"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/revision"
	"github.com/pinpoint-go/pinpoint/workload"
)

// driverFlags are the flags of the driver command.
type driverFlags struct {
	codeFlags
	rev, good, bad     string
	function, pkg, out string
	process            harness.Workload
	time               time.Duration
}

// exitSkeleton is the status where only a skeleton was written.
const exitSkeleton = 3

func driverCommand(status *int) *cobra.Command {
	f := &driverFlags{}
	cmd := &cobra.Command{
		Use:   "driver --func NAME [-o FILE_test.go]",
		Short: "make a benchmark of what a function's tests give it",
		Long: `Driver runs the tests that reach a function, records what they call it with, and
writes a benchmark with these inputs: one file for find's --driver, with a
sub-benchmark for each size class, receivers included. Where a call changes what
it is given, the benchmark makes that anew each time, outside of what is timed.

Up to 64 distinct calls are kept, 4 MiB in all. What is no data (functions,
channels, what only another package knows) can't be written down: it is listed
with the reason, and if that leaves no call, the file is a skeleton to fill in.

With --good and --bad it is recorded in bad, and built and run in both.

Exit status: 0 a benchmark was written that works, 2 the job could not be done,
3 only a skeleton was written.`,
		Example: `  pinpoint driver --func '(*Encoder).Encode'
  pinpoint driver --func codec.Decode --good v1.4.0 --bad HEAD -o decode_test.go`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, status) },
	}
	fs := cmd.Flags()
	functionFlag(fs, &f.function, "")
	fs.StringVarP(&f.out, "out", "o", "", "`file` to write to (default: pinpoint_NAME_test.go)")
	fs.StringVar(&f.rev, "rev", backup.Worktree, "the `revision`, or WORKTREE")
	fs.StringVar(&f.good, "good", "", "the accepted `revision`")
	fs.StringVar(&f.bad, "bad", "", "the slow `revision`, or WORKTREE for the uncommitted state")
	fs.StringVar(&f.pkg, "pkg", "", "`pattern` of packages whose tests are run (default: all)")
	f.registerCode(fs)
	processFlags(fs, &f.process, 2*time.Minute)
	fs.DurationVar(&f.time, "budget", 5*time.Minute, "time for everything, builds included")
	return cmd
}

func (f *driverFlags) run(cmd *cobra.Command, status *int) error {
	revs := []string{f.rev}
	switch {
	case f.function == "":
		return usagef("a function is needed: --func NAME")
	case (f.good == "") != (f.bad == ""):
		return usagef("--good and --bad go together")
	case f.out != "" && !strings.HasSuffix(f.out, "_test.go"):
		return usagef("-o %s: a benchmark's file is named like x_test.go", f.out)
	case f.bad != "":
		f.rev, revs = f.bad, []string{f.good, f.bad}
	}
	r, problems, err := f.make(cmd, revs)
	if err != nil {
		return err
	}
	switch {
	case r.Kept == 0:
		*status = exitSkeleton
	case len(problems) > 0:
		*status = exitFailed
	}
	return f.tell(cmd.OutOrStdout(), r, problems)
}

// make writes the file and gives what is wrong with it. What was recorded in bad may not
// compile in good, for a field that only bad has: then it is recorded in good, and
// that is kept if it works in both.
func (f *driverFlags) make(cmd *cobra.Command, revs []string) (r *driver.Recording, problems []string, err error) {
	if r, problems, err = f.makeIn(cmd, revs); err != nil || len(problems) == 0 || len(revs) < 2 {
		return r, problems, err
	}
	f.rev = f.good
	other, wrong, err := f.makeIn(cmd, revs)
	if err == nil && len(wrong) == 0 && other.Kept > 0 {
		return other, nil, nil
	}
	if cmd.Context().Err() != nil {
		return nil, nil, err
	}
	return r, problems, f.save(r)
}

func (f *driverFlags) makeIn(cmd *cobra.Command, revs []string) (*driver.Recording, []string, error) {
	r, err := f.record(cmd)
	if err == nil {
		err = f.save(r)
	}
	if err != nil {
		return nil, nil, err
	}
	problems, err := f.check(cmd.Context(), r, revs)
	return r, problems, err
}

func (f *driverFlags) save(r *driver.Recording) error {
	data, err := r.File()
	if err != nil {
		return err
	}
	if f.out == "" {
		f.out = "pinpoint_" + strings.ToLower(strings.TrimPrefix(r.Benchmark(), "BenchmarkPinpoint")) + "_test.go"
	}
	if old, err := os.ReadFile(f.out); err == nil && !bytes.HasPrefix(old, []byte(driver.Marker)) {
		return fmt.Errorf("%s exists and was not made by pinpoint: choose another file with -o", f.out)
	}
	return output.Save(f.out, func(w io.Writer) error { _, err := w.Write(data); return err })
}

func (f *driverFlags) record(cmd *cobra.Command) (*driver.Recording, error) {
	p := newProgress(cmd.ErrOrStderr())
	defer p.clear()
	p.unit = "package"
	opts := workload.Options{Dir: f.dir, Rev: f.rev, Tags: f.tags, Process: f.process, Time: f.time, Progress: p.show}
	if f.pkg != "" {
		opts.Packages = []string{f.pkg}
	}
	s, err := workload.Open(cmd.Context(), opts)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r, err := driver.Record(cmd.Context(), s, f.function)
	if err != nil {
		err = fmt.Errorf("--func in %s: %w", f.rev, err)
	}
	return r, err
}

// check builds and runs the file in each revision.
func (f *driverFlags) check(ctx context.Context, r *driver.Recording, revs []string) (problems []string, err error) {
	for _, rev := range revs {
		spec := revision.Spec{Dir: f.dir, Tags: f.tags, Workload: f.process}
		wrong, err := r.Check(ctx, spec, f.out, rev)
		if err != nil {
			return nil, err
		}
		if wrong != "" {
			problems = append(problems, "in "+rev+" it "+wrong)
		}
	}
	return problems, nil
}

func (f *driverFlags) tell(w io.Writer, r *driver.Recording, problems []string) error {
	t := text.NewWriter(w)
	what := fmt.Sprintf("%s of %s, from %s", text.Plural(r.Kept, "distinct call"), r.Function, text.Plural(len(r.Ran), "workload"))
	if r.Kept == 0 {
		what = fmt.Sprintf("a skeleton: no call of %s could be recorded, in %s that may reach it", r.Function, text.Plural(len(r.Ran), "workload"))
	}
	t.Item(f.out+"  ", what)
	for _, x := range r.Refused {
		t.Item("  not recorded  ", fmt.Sprintf("%s: %s", x.Parameter, x.Reason))
	}
	for _, n := range r.Notes {
		t.Item("  note  ", n)
	}
	for _, p := range problems {
		first, rest, _ := strings.Cut(p, "\n")
		t.Item("  wrong  ", first)
		for line := range strings.Lines(rest) {
			t.Line("    %s", strings.TrimRight(line, "\n"))
		}
	}
	if r.Kept > 0 && len(problems) == 0 {
		good, bad := f.good, f.bad
		if bad == "" {
			good, bad = "GOOD", f.rev
		}
		pkg := r.Package
		if pkg != "." {
			pkg = "./" + pkg
		}
		t.Paragraph()
		t.Line("pinpoint find --good %s --bad %s --pkg %s --driver %s --bench %s/SIZE",
			good, bad, harness.Quote([]string{pkg}), harness.Quote([]string{filepath.ToSlash(f.out)}), r.Benchmark())
		t.Line("with SIZE one of %s", strings.Join(r.Sizes(), ", "))
	}
	return t.Flush()
}
