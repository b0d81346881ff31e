package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Decisions are what the compiler decided about inlining on one side, as
// -gcflags=-m tells.
type Decisions struct {
	Inlined   map[Position]string        // calls that were inlined: the callee as the compiler names it
	Inlinable map[string]map[string]bool // by import path: functions whose calls can be inlined
}

// Position is where a call is, as the compiler names it: Line and Col are those
// of its opening parenthesis, counted in bytes from 1.
type Position struct {
	File      string // absolute
	Line, Col int
}

// Decisions builds the side once more, with -m for the packages pkgs, and
// returns what the compiler said of them. The go command replays that from its
// cache, so a second time costs a link only.
// Calls whose position the overlay moved have the position in the overlay's text.
func (g *Go) Decisions(ctx context.Context, s Side, w Workload, pkgs []string) (Decisions, error) {
	dir, err := os.MkdirTemp("", "pinpoint-decisions-")
	if err != nil {
		return Decisions{}, fmt.Errorf("asking for inlining decisions: %w", err)
	}
	defer os.RemoveAll(dir)
	j := job{goCmd: g, side: s.withGCFlag("-m", pkgs), workload: w, dir: dir}
	if err := j.writeOverlay(); err != nil {
		return Decisions{}, err
	}
	var said string
	err = host.whileBuilding(ctx, func() error { said, err = j.compile(ctx); return err })
	if err != nil {
		return Decisions{}, err
	}
	return parseDecisions(said, s.Dir), nil
}

// compile builds the package into j.dir and returns all that was said.
func (j *job) compile(ctx context.Context) (string, error) {
	pkg, err := j.list(ctx)
	if err != nil {
		return "", err
	}
	stdout, stderr, err := j.run(ctx, j.buildArgs(pkg, filepath.Join(j.dir, "binary")))
	return stdout + stderr, err
}

var (
	header  = regexp.MustCompile(`^# (\S+)`)
	inlined = regexp.MustCompile(`^(.+?\.go):(\d+):(\d+): inlining call to (.+)$`)
	canBe   = regexp.MustCompile(`^.+?\.go:\d+:\d+: can inline (.+)$`)
)

// parseDecisions reads the compiler's lines, with file names relative to dir.
func parseDecisions(said, dir string) Decisions {
	d := Decisions{Inlined: map[Position]string{}, Inlinable: map[string]map[string]bool{}}
	pkg := ""
	for line := range strings.Lines(said) {
		line = strings.TrimRight(line, "\r\n")
		if m := header.FindStringSubmatch(line); m != nil {
			pkg = m[1]
		} else if m := inlined.FindStringSubmatch(line); m != nil {
			// What is inlined into the inlined has the same position, further down.
			if at := position(dir, m[1], m[2], m[3]); d.Inlined[at] == "" {
				d.Inlined[at] = m[4]
			}
		} else if m := canBe.FindStringSubmatch(line); m != nil {
			if d.Inlinable[pkg] == nil {
				d.Inlinable[pkg] = map[string]bool{}
			}
			d.Inlinable[pkg][m[1]] = true
		}
	}
	return d
}

func position(dir, file, line, col string) Position {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	p := Position{File: file}
	p.Line, _ = strconv.Atoi(line)
	p.Col, _ = strconv.Atoi(col)
	return p
}
