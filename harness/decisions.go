package harness

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/trace"
)

// Decisions are what the compiler decided on one side, as -gcflags=-m=2 and its
// list of bounds checks tell.
type Decisions struct {
	Inlinable map[string]map[string]bool   // by import path: functions whose calls can be inlined
	Inlining  map[string]map[string]string // by import path and function: why calls of it can or can't be, such as "cost 90 exceeds budget 80"
	Heap      map[Line][]string            // what is put on the heap: "x", "make([]int, n)"
	Bounds    map[Line]int                 // how many bounds checks are left in the code
}

// Line is a line of source.
type Line struct {
	File string // absolute
	Line int
}

// Decisions builds the side once more, with flags that make the compiler tell for
// the packages pkgs, and returns what the compiler said of them. The go command
// replays that from its cache, so a second time costs a link only.
//
// Of a single package whose tests nobody asks about that one alone is built, and nothing
// is linked: of this repository's stats in 0.6 s of processor time instead of 2.2 s.
func (g *Go) Decisions(ctx context.Context, s Side, w Workload, pkgs []string, tests bool) (Decisions, error) {
	dir, err := makeTempDir()
	if err != nil {
		return Decisions{}, fmt.Errorf("asking for inlining decisions: %w", err)
	}
	defer dir.Remove()
	j := job{goCmd: g, side: s.withGCFlag("-m=2 -d=ssa/check_bce=1", pkgs), workload: w, dir: dir.Path}
	if err := j.writeOverlay(); err != nil {
		return Decisions{}, err
	}
	var said string
	err = host.whileBuilding(ctx, func() error {
		defer trace.Begin(ctx, trace.Build, s.Label+", asking the compiler")()
		said, err = j.compile(ctx, pkgs, tests || len(pkgs) != 1 || w.Kind == Main)
		return err
	})
	if err != nil {
		return Decisions{}, err
	}
	return parseDecisions(said, s.Dir), nil
}

// compile builds the side's package with its tests, or the first of pkgs, into j.dir and
// returns all that was said.
func (j *job) compile(ctx context.Context, pkgs []string, all bool) (string, error) {
	out := filepath.Join(j.dir, "binary")
	var args []string
	if all {
		pkg, err := j.list(ctx)
		if err != nil {
			return "", err
		}
		args = j.buildArgs(pkg, out)
	} else {
		args = append([]string{"build", "-buildvcs=false", "-o", out}, j.side.BuildFlags(j.overlay)...)
		args = append(args, pkgs[0])
	}
	stdout, stderr, err := j.run(ctx, args)
	return stdout + stderr, err
}

var (
	header   = regexp.MustCompile(`^# (\S+)`)
	remark   = regexp.MustCompile(`^(.+?\.go):(\d+):\d+: (\S.*)$`) // what explains a remark is indented
	canBe    = regexp.MustCompile(`^can inline (.+?)(?: with (cost \d+) as: .*)?$`)
	cannotBe = regexp.MustCompile(`^cannot inline (.+?): (.+)$`)
)

// parseDecisions reads the compiler's lines, with file names relative to dir.
func parseDecisions(said, dir string) Decisions {
	d := Decisions{
		Inlinable: map[string]map[string]bool{}, Inlining: map[string]map[string]string{},
		Heap: map[Line][]string{}, Bounds: map[Line]int{},
	}
	pkg := ""
	for line := range strings.Lines(said) {
		line = strings.TrimRight(line, "\r\n")
		if m := header.FindStringSubmatch(line); m != nil {
			pkg = m[1]
		} else if m := remark.FindStringSubmatch(line); m != nil {
			d.note(pkg, lineOf(dir, m[1], m[2]), m[3])
		}
	}
	return d
}

// note takes one remark of the compiler's in.
func (d *Decisions) note(pkg string, line Line, text string) {
	if m := canBe.FindStringSubmatch(text); m != nil {
		if d.Inlinable[pkg] == nil {
			d.Inlinable[pkg] = map[string]bool{}
		}
		d.Inlinable[pkg][m[1]] = true
		d.inlining(pkg, m[1], m[2])
	} else if m := cannotBe.FindStringSubmatch(text); m != nil {
		d.inlining(pkg, m[1], strings.TrimPrefix(m[2], "function too complex: "))
	} else if what, ok := strings.CutPrefix(text, "moved to heap: "); ok {
		d.Heap[line] = append(d.Heap[line], what)
	} else if what, ok := strings.CutSuffix(text, " escapes to heap"); ok {
		d.Heap[line] = append(d.Heap[line], what)
	} else if strings.HasPrefix(text, "Found Is") { // IsInBounds, IsSliceInBounds
		d.Bounds[line]++
	}
}

func (d *Decisions) inlining(pkg, function, why string) {
	if d.Inlining[pkg] == nil {
		d.Inlining[pkg] = map[string]string{}
	}
	d.Inlining[pkg][function] = why
}

func lineOf(dir, file, line string) Line {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	n, _ := strconv.Atoi(line)
	return Line{file, n}
}
