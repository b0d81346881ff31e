package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/trace"
)

// Build builds the test binary of the side's package, or the program for a
// [Main] workload, into a new directory below outDir, beside the overlay it was
// built with. The error is *BuildError when the go command refused.
//
// Binary.Probes is left to the caller, who wrote the overlay.
func (g *Go) Build(ctx context.Context, s Side, w Workload, outDir string) (Binary, error) {
	dir, err := os.MkdirTemp(outDir, s.Label+"-")
	if err != nil {
		return Binary{}, fmt.Errorf("making a directory for the %s build: %w", s.Label, err)
	}
	b := job{goCmd: g, side: s, workload: w, dir: dir}
	if err := b.writeOverlay(); err != nil {
		return Binary{}, err
	}
	var bin Binary
	err = host.whileBuilding(ctx, func() error {
		defer trace.Begin(ctx, trace.Build, b.String())()
		bin, err = b.build(ctx)
		return err
	})
	return bin, err
}

func (j *job) build(ctx context.Context) (Binary, error) {
	pkg, err := j.list(ctx)
	if err != nil {
		return Binary{}, err
	}
	bin := Binary{
		Path: filepath.Join(j.dir, j.side.Label+".test"), Dir: pkg.Dir,
		Root: j.goCmd.Root, Label: j.side.Label, Package: pkg.ImportPath,
		Tree: j.side.top(), Hidden: j.side.Hidden, Cache: j.goCmd.ModCache,
	}
	if j.workload.Kind == Main {
		bin.Path, bin.Dir = filepath.Join(j.dir, j.side.Label), j.side.Dir
	}
	args := j.buildArgs(pkg, bin.Path)
	bin.Command = append([]string{j.goCmd.Cmd}, args...)
	bin.Sanitized = j.goCmd.hasFlag("-race") || j.goCmd.hasFlag("-msan") || j.goCmd.hasFlag("-asan")
	_, _, err = j.run(ctx, args)
	return bin, err
}

// buildArgs are those of the go command that builds pkg into out. The vet
// and the version stamp of a revision are nobody's business here.
func (j *job) buildArgs(pkg listed, out string) []string {
	args := []string{"test", "-c", "-vet=off"}
	if j.workload.Kind == Main {
		args = []string{"build"}
	}
	args = append(args, "-buildvcs=false", "-o", out)
	args = append(args, j.side.BuildFlags(j.overlay)...)
	args = append(args, j.linkFlags()...)
	if pkg.ImportPath == "command-line-arguments" {
		// A file was named, and only its name leads back to it.
		return append(args, j.side.Package)
	}
	return append(args, pkg.ImportPath)
}

// linkFlags leave out what only debuggers and nm read. Profiles and panics name
// functions by another table, which stays. The user's own flags stay as they are.
//
// A relink, which is all that another layout takes, took 0.50 s of processor time for
// a small package's tests and 0.87 s for those of go/types; without, 0.37 s and 0.58 s.
func (j *job) linkFlags() []string {
	flags := "-ldflags=-s -w"
	switch {
	case j.side.Layout != 0:
		flags += fmt.Sprintf(" -randlayout=%d", j.side.Layout)
	case j.goCmd.hasFlag("-ldflags"):
		return nil
	}
	return []string{flags}
}

// list asks for the package of the side, and whether it can be built as the
// workload wants it.
func (j *job) list(ctx context.Context) (listed, error) {
	known := j.side.Listing
	if known == nil {
		return j.ask(ctx)
	}
	if pkg := known.is.Load(); pkg != nil {
		return *pkg, nil
	}
	pkg, err := j.ask(ctx)
	if err == nil {
		known.is.Store(&pkg)
	}
	return pkg, err
}

// ask has the go command list it.
func (j *job) ask(ctx context.Context) (listed, error) {
	args := append([]string{"list", "-find", "-json=Dir,ImportPath,Name,TestGoFiles,XTestGoFiles"}, j.side.BuildFlags(j.overlay)...)
	out, _, err := j.run(ctx, append(args, "--", j.side.Package))
	if err != nil {
		return listed{}, err
	}
	var pkgs []listed
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			return listed{}, fmt.Errorf("reading what go list said of %s: %w", j.side.Package, err)
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) != 1 {
		return listed{}, j.refuse("%s is %d packages; name the one that holds the %s", j.side.Package, len(pkgs), j.workload.Kind)
	}
	return pkgs[0], j.check(pkgs[0])
}

func (j *job) check(p listed) error {
	isMain := j.workload.Kind == Main
	switch {
	case isMain && p.Name != "main":
		return j.refuse("%s is package %s, not a program", p.ImportPath, p.Name)
	case !isMain && len(p.TestGoFiles)+len(p.XTestGoFiles) == 0:
		return j.refuse("%s has no test files", p.ImportPath)
	}
	return nil
}

func (j *job) refuse(format string, args ...any) *BuildError {
	return &BuildError{Label: j.side.Label, Output: fmt.Sprintf(format, args...) + "\n"}
}

// run runs one go command of the side.
func (j *job) run(ctx context.Context, args []string) (stdout, stderr string, err error) {
	if err := j.goCmd.refuseFlagsOf(j.side); err != nil {
		return "", "", err
	}
	defer trace.Begin(ctx, trace.Command, "go "+args[0]+" "+j.side.Label)()
	// As in child.run.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, j.goCmd.Cmd, args...)
	cmd.Dir, cmd.Env = j.side.Dir, j.side.Env(j.goCmd)
	cmd.SysProcAttr = groupLeader()
	cmd.Cancel = func() error { killGroup(cmd.Process.Pid); return nil }
	cmd.WaitDelay = grace
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err = guard.start(cmd); err == nil {
		err = cmd.Wait()
		guard.ended(cmd.Process.Pid)
	}
	stdout, stderr = out.String(), errs.String()
	if ctx.Err() != nil {
		return stdout, stderr, ctx.Err()
	}
	if err != nil {
		return stdout, stderr, j.failure(args, stdout+stderr, err)
	}
	return stdout, stderr, nil
}

// blamesAdded reports whether the compiler complains about a file that only the
// overlay has, a driver for one: another package would not make it compile.
func (j *job) blamesAdded(output string) bool {
	for name := range j.side.Overlay {
		if _, err := os.Stat(name); err != nil && strings.Contains(output, filepath.Base(name)+":") {
			return true
		}
	}
	return false
}

// replaced is a test file of the package that the overlay has another in the place of, of
// which the compiler does not complain itself; "" if there is none.
func (j *job) replaced(output string) string {
	for _, name := range slices.Sorted(maps.Keys(j.side.Overlay)) {
		if _, err := os.Stat(name); err == nil && strings.HasSuffix(name, "_test.go") && !strings.Contains(output, filepath.Base(name)+":") {
			return filepath.Base(name)
		}
	}
	return ""
}

func (j *job) failure(args []string, output string, cause error) *BuildError {
	e := &BuildError{
		Label: j.side.Label, Dir: j.side.Dir, Cause: cause,
		Command: append([]string{j.goCmd.Cmd}, args...),
		Output:  j.userPaths(output),
	}
	if j.workload.Kind != Main && blamesTests(e.Output) && !j.blamesAdded(e.Output) {
		e.Advice = "its test files don't compile: put a driver (--driver) into a neighbouring package"
		if name := j.replaced(e.Output); name != "" {
			e.Advice = fmt.Sprintf("the driver lies in the place of the package's own %s: without it the others don't compile, so give the driver another name", name)
		}
	}
	return e
}
