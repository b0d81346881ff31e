package main

import (
	"cmp"
	"errors"
	goversion "go/version"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
)

// What several commands have is registered here, each flag once and with one help
// text.

// codeFlags say where the code is and how it is built.
type codeFlags struct{ dir, tags string }

func (f *codeFlags) registerCode(fs *pflag.FlagSet) {
	dirFlag(fs, &f.dir)
	fs.StringVar(&f.tags, "tags", "", "build tags, comma separated `list`")
}

// compilerFlags say what code is compiled by, where that is not what each revision says.
type compilerFlags struct {
	pgo        string
	toolchain  string
	toolchains change.Pair[string]
}

func (f *compilerFlags) registerCompiler(fs *pflag.FlagSet) {
	fs.StringVar(&f.pgo, "pgo", "", "compile all by the profile in this `file`, or by none: off\n(default: each revision by its own default.pgo)")
}

// registerToolchains adds the flags of toolchains for two revisions.
func (f *compilerFlags) registerToolchains(fs *pflag.FlagSet) {
	fs.StringVar(&f.toolchains.Good, "toolchain-good", "", "the `toolchain` that builds good, such as go1.25.4 (default: see --toolchain)")
	fs.StringVar(&f.toolchains.Bad, "toolchain-bad", "", "the same of bad")
	f.registerToolchain(fs)
}

func (f *compilerFlags) registerToolchain(fs *pflag.FlagSet) {
	fs.StringVar(&f.toolchain, "toolchain", "", "what builds the revisions: a `toolchain` such as go1.25.4, which the go command\nfetches if it has to, or each: by what its own go.mod asks for; where several\nare measured, each by each of a list go1.24.0,go1.25.4 (default: one for all,\nthe newest that they ask for)")
}

// ofPair are the toolchains of two revisions, nil if one builds both.
func (f *compilerFlags) ofPair() ([]string, error) {
	if f.toolchain == "" && f.toolchains.Good == "" && f.toolchains.Bad == "" {
		return nil, nil
	}
	standard := cmp.Or(f.toolchain, harness.OwnToolchain)
	return named([]string{cmp.Or(f.toolchains.Good, standard), cmp.Or(f.toolchains.Bad, standard)})
}

// ofAll are the toolchains that build each of several revisions, nil if one builds all.
func (f *compilerFlags) ofAll() ([]string, error) {
	if f.toolchain == "" {
		return nil, nil
	}
	return named(strings.Split(f.toolchain, ","))
}

// named checks names of toolchains.
func named(list []string) ([]string, error) {
	for _, name := range list {
		if name != harness.OwnToolchain && !goversion.IsValid(name) {
			return nil, usagef("toolchain %s: give one as go1.25.4, or each", name)
		}
	}
	return list, nil
}

// profile is what -pgo of the go command is given, "" for nothing.
func (f *compilerFlags) profile() (string, error) {
	switch f.pgo {
	case "", "off":
		return f.pgo, nil
	}
	if st, err := os.Stat(f.pgo); err != nil || !st.Mode().IsRegular() {
		return "", usagef("--pgo %s: give off or the file of a CPU profile", f.pgo)
	}
	return filepath.Abs(f.pgo)
}

func dirFlag(fs *pflag.FlagSet, dir *string) {
	fs.StringVarP(dir, "C", "C", ".", "`directory` of the repository, or below it")
}

// functionFlag names a function; without is what is meant without it.
func functionFlag(fs *pflag.FlagSet, function *string, without string) {
	fs.StringVar(function, "func", "", "the `function`: Func, (*T).Method, Func.func1 or path/pkg.Func"+without)
}

// ruleFlags say what counts, and how sure that must be.
func ruleFlags(fs *pflag.FlagSet, alpha, minEffect *float64) {
	shareFlag(fs, minEffect, "min-effect", 0.01, "`share` of the whole below which a difference does not count")
	shareFlag(fs, alpha, "alpha", 0.01, "bound on the `chance` of a wrong verdict by noise alone (of ci: on the share of false regressions among those reported)")
}

func shareFlag(fs *pflag.FlagSet, of *float64, name string, standard float64, usage string) {
	*of = standard
	fs.Var(share{of}, name, usage)
}

func choiceFlag(fs *pflag.FlagSet, of *string, name, standard, usage string, among []string) {
	*of = standard
	fs.Var(choice{of, among}, name, usage+strings.Join(among, ", "))
}

// effortFlags say how long it may take, and by what it can be done again.
func effortFlags(fs *pflag.FlagSet, budget *time.Duration, standard time.Duration, seed *uint64) {
	fs.DurationVar(budget, "budget", standard, "time for everything, builds included")
	seedFlag(fs, seed)
}

// evidenceFlags bound what evidence may take. No time is the shortest there is, since 0
// is the default.
func evidenceFlags(fs *pflag.FlagSet, of *time.Duration) {
	fs.Func("evidence", "`how much` is told beside a culprit: usual (default), all, whatever that takes", func(text string) error {
		switch *of = 0; text {
		case "usual":
		case "all":
			*of = setup.AllEvidence
		default:
			return errors.New("give usual or all")
		}
		return nil
	})
	fs.Func("evidence-budget", "`time` of the budget for evidence beside a culprit, 0s for none but its diff and commits\n(default: as long as it took to find it, at most 15s)", func(text string) error {
		d, err := time.ParseDuration(text)
		if err == nil && d < 0 {
			err = errors.New("give a time from 0s on")
		}
		*of = max(d, 1)
		return err
	})
}

func seedFlag(fs *pflag.FlagSet, seed *uint64) {
	fs.Uint64Var(seed, "seed", 0, "`seed` of what is drawn, such as the order of processes (default: chosen and reported)")
}

// processFlags say what a process gets.
func processFlags(fs *pflag.FlagSet, w *harness.Workload, timeout time.Duration) {
	fs.Var((*envNames)(&w.Env), "env", "pass the environment variable `name` on to the workload (repeatable)")
	fs.DurationVar(&w.Timeout, "timeout", timeout, "time for one process")
	fs.Var((*size)(&w.Memory), "memory", "memory that one process may take, such as 4GiB (default half of the machine's)")
	fs.Bool("sandbox", false, "run it without network, home, other processes' sight or files to write to\nbut its own (Linux only)")
}

func cpuFlag(fs *pflag.FlagSet, w *harness.Workload) {
	fs.IntVar(&w.CPUs, "cpu", 0, "`number` of processors for the workload (GOMAXPROCS; default all);\nwith 1, a pair shares one, which is quieter and hides contention")
}

func measureAnywayFlag(fs *pflag.FlagSet, of *bool) {
	fs.BoolVar(of, "measure-anyway", false, "compare what runs no changed code, too")
}

func jsonFlag(fs *pflag.FlagSet, name *string) {
	fs.StringVar(name, "json", "", "also write JSON to this `file` (- is standard output, without the text)")
}

func dryRunFlag(fs *pflag.FlagSet, dry *bool) {
	fs.BoolVar(dry, "dry-run", false, "say what would be done, and run nothing")
}

// sheetFlag is where what is no hunt is saved for pinpoint report.
func sheetFlag(fs *pflag.FlagSet, name *string) {
	fs.StringVar(name, "json", "", "write it as JSON to this `file`, which pinpoint report draws")
}
