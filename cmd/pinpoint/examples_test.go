package main

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// example is one that is not run, by what it contains, and why.
type example struct{ with, why string }

// unrun are all of them.
var unrun = []example{
	{"fleet serve", "serves until it is ended: the script fleet has it"},
	{"worker", "waits for work until it is ended: the script fleet has it"},
	{"default.join", "asks that server: the script fleet has it"},
	{"--toolchain", "fetches toolchains: the script toolchain has it, with what is there"},
	{"demo", "the script demo has it"},
	{"--good good", "what README prints, of the demo's revisions"},
	{"/tmp/", "writes beside the script's directory; without it, it is run"},
}

// bounded is the example with flags that make it short, before what follows its --. What is
// measured so decides nothing, which is status 3.
func bounded(line []string) []string {
	bounds := map[string]string{
		"find": "--budget 2s --evidence-budget 0s", "compare": "--budget 1s", "bisect": "--budget 1s", "ci": "--budget 1s",
		"measure": "--iterations 1 --measurements 1", "doctor": "--seconds 1",
	}[line[0]]
	if line[0] == "compare" && line[1] != "--good" {
		bounds = "--processes 2"
	}
	if line[0] == "find" && (slices.Contains(line, "--func") || slices.Contains(line, "--profile-good")) {
		bounds = "--budget 1m --evidence-budget 0s" // of which a quarter is for looking for workloads, on a busy machine too
	}
	end := slices.Index(line, "--")
	if end < 0 {
		end = len(line)
	}
	return slices.Insert(line, end, strings.Fields(bounds)...)
}

// quick are the commands of examples that build and measure nothing.
var quick = []string{"report", "history", "cache", "fleet", "layers"}

// runExamples is "examples quick|rest": runs each of the command lines that the manual, the
// pages and the help texts show, in a directory where what they name exists. None may
// fail, which is status 2.
func runExamples(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: examples quick|rest")
	}
	texts, err := readPages()
	ts.Check(err)
	lines := examples(texts)
	slices.Sort(lines)
	slices.SortStableFunc(lines, func(a, b string) int { // what goes on comes after what began
		return cmp.Compare(strings.Count(a, "--resume"), strings.Count(b, "--resume"))
	})
	for _, line := range slices.Compact(lines) {
		list := words(line)
		if slices.Contains(quick, list[0]) != (args[0] == "quick") {
			continue
		}
		if i := slices.IndexFunc(unrun, func(u example) bool { return strings.Contains(line, u.with) }); i >= 0 {
			ts.Logf("not run: pinpoint %s: %s", line, unrun[i].why)
			continue
		}
		list = bounded(list)
		ts.Check(ts.Exec("git", "checkout", "-q", "--", "."))
		ts.Check(ts.Exec("git", "clean", "-q", "-f", "--", "*_test.go"))
		if list[0] == "driver" { // which writes over nothing of others
			ts.Check(os.RemoveAll(ts.MkAbs("encode_test.go")))
		}
		if list[0] == "history" { // which takes a result once
			ts.Check(os.RemoveAll(ts.MkAbs(".pinpoint")))
		}
		if err := ts.Exec("pinpoint", list...); err != nil && err.Error() != "exit status 1" && err.Error() != "exit status 3" {
			ts.Fatalf("pinpoint %s: %v", strings.Join(list, " "), err)
		}
	}
}
