package harness

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// passed are the names of the environment that reach a child with the values
// that this process has. Everything else is left out, because it differs from
// shell to shell and may change what the program does: GOGC, GOMEMLIMIT, GODEBUG,
// GOMAXPROCS, LD_PRELOAD, locale, proxies. A workload that needs one names it in
// [Workload.Env].
var passed = []string{"PATH", "HOME", "USER", "LOGNAME", "TZ", "GOROOT", "GOTRACEBACK"}

// Environment is what the children of a workload are given, as "NAME=value", for
// reports: without TMPDIR, which each has for itself.
func Environment(b Binary, w Workload) []string {
	env := environment(os.LookupEnv, b, w, "")
	return slices.DeleteFunc(env, func(entry string) bool { return envName(entry) == "TMPDIR" })
}

// environment is that of a child which runs in dir, with its own temporary
// directory tmp. In the order given, later names win:
//
//   - the passed names;
//   - LANG=C, and no LC_ names, so that both sides sort and print alike;
//   - PATH begins with the bin directory of the toolchain, as under go test;
//   - the names that the workload asks for, then the values that it sets;
//   - TMPDIR, removed after the process; its length is always the same, because
//     the environment lies above the stack and moves it;
//   - PWD, as under go test;
//   - GOMAXPROCS for a main program with CPUs set (package testing has -test.cpu).
func environment(look func(string) (string, bool), b Binary, w Workload, tmp string) []string {
	env := []string{"LANG=C"}
	for _, name := range slices.Concat(passed, w.Env) {
		value, ok := look(name)
		if !ok {
			continue
		}
		if name == "PATH" && b.Root != "" {
			value = filepath.Join(b.Root, "bin") + string(os.PathListSeparator) + value
		}
		env = append(env, name+"="+value)
	}
	env = append(env, w.Set...)
	env = append(env, "TMPDIR="+tmp, "PWD="+b.Dir)
	if w.Kind == Main && w.CPUs > 0 {
		env = append(env, "GOMAXPROCS="+strconv.Itoa(w.CPUs))
	}
	return lastWins(env)
}

// lastWins drops all but the last value of each name and keeps the order of
// what stays. The C library takes the first, os/exec the last.
func lastWins(env []string) []string {
	last := make(map[string]int, len(env))
	for i, entry := range env {
		last[envName(entry)] = i
	}
	out := env[:0:0]
	for i, entry := range env {
		if last[envName(entry)] == i {
			out = append(out, entry)
		}
	}
	return out
}
