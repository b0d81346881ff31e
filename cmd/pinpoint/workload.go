package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"time"

	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/serve"
)

// workloadFlags are the flags that say what runs: every command that measures
// revisions has them.
type workloadFlags struct {
	codeFlags
	compilerFlags
	serveFlags
	pkg, bench, test, main string
	input, driver          string
	process                harness.Workload // of which processFlags and --cpu are set
}

func (f *workloadFlags) registerWorkload(fs *pflag.FlagSet) {
	f.registerCode(fs)
	f.registerCompiler(fs)
	fs.StringVar(&f.pkg, "pkg", ".", "`directory` of the workload's package, relative to -C")
	fs.StringVar(&f.bench, "bench", "", "benchmark to run, a `regexp` like go test's -bench; a last element ^$,\nas in ^X$/^a$/^$, leaves out those below")
	fs.StringVar(&f.test, "test", "", "test to run, a `regexp` like go test's -run")
	fs.StringVar(&f.main, "main", "", "main program to run, its `directory`; its arguments follow --")
	fs.StringVar(&f.input, "input", "", "`file` that --main reads as its standard input")
	fs.StringVar(&f.driver, "driver", "", "a _test.go `file` to place in the package in every revision")
	f.registerServe(fs)
	processFlags(fs, &f.process, 2*time.Minute)
}

// mostInput is how long a standard input may be, in bytes.
const mostInput = 1 << 30

// where is the directory of the workload's package, relative to the repository's.
func (f *workloadFlags) where() (string, error) {
	flag, dir := "--pkg", f.pkg
	if f.main != "" {
		flag, dir = "--main", f.main
	}
	if f.serve != "" {
		flag, dir = "--serve", f.serve
	}
	if filepath.IsAbs(dir) {
		return "", usagef("%s %s: give the directory relative to -C, such as ./codec", flag, dir)
	}
	return dir, nil
}

// none says whether nothing was named that is to be run.
func (f *workloadFlags) none() bool { return f.bench+f.test+f.main+f.serve == "" }

// alone refuses what says more of a workload that was not named.
func (f *workloadFlags) alone(args []string) error {
	switch {
	case f.input != "" || len(args) > 0:
		return usagef("--input and arguments go with --main")
	case f.driver != "":
		return usagef("--driver goes with --bench or --test, which name what is in it")
	case f.process.Timeout <= 0:
		return usagef("--timeout %v: give a time above 0", f.process.Timeout)
	}
	return nil
}

// workload reads what is to be run. args are what the command line holds besides flags.
func (f *workloadFlags) workload(args []string) (harness.Workload, error) {
	w := f.process
	given := 0
	for _, s := range []string{f.bench, f.test, f.main, f.serve} {
		if s != "" {
			given++
		}
	}
	switch {
	case given != 1:
		return w, usagef("one workload is needed: --bench REGEXP, --test REGEXP, --main DIR or --serve DIR; or give find a function, --func NAME, and it chooses one")
	case f.main == "" && f.serve == "" && len(args) > 0:
		return w, usagef("unexpected argument %q: arguments go with --main or --serve, after --", args[0])
	case f.input != "" && f.main == "":
		return w, usagef("--input goes with --main")
	case w.Timeout <= 0:
		return w, usagef("--timeout %v: give a time above 0", w.Timeout)
	case f.bench != "":
		w.Kind, w.Pattern = harness.Bench, f.bench
	case f.serve != "":
		w.Kind, w.Pattern = harness.Bench, serve.Pattern
	case f.test != "":
		w.Kind, w.Pattern = harness.Test, f.test
	default:
		w.Kind, w.Args = harness.Main, args
	}
	if _, err := regexp.Compile(w.Pattern); err != nil {
		return w, usagef("the pattern %q: %v", w.Pattern, err)
	}
	if f.input == "" {
		return w, nil
	}
	var err error
	if w.Input, err = outside.Named(f.input, mostInput); err != nil {
		return w, fmt.Errorf("--input: %w", err)
	}
	return w, nil
}
