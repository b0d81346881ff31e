package hunt

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
)

// Pair is one package in both revisions, for whoever compares many workloads
// before any of them is hunted: everything is done when it is asked for, once,
// and serves all the package's workloads. Nothing is carried from one revision
// to the other.
type Pair struct {
	h                 *hunt
	GoodTree, BadTree backup.Tree
	Go                *harness.Go // builds both sides
}

// Open takes private copies of both revisions and picks the toolchain. Of the
// options, those that say what to search for are not looked at.
func Open(ctx context.Context, opts Options) (*Pair, error) {
	h, err := newHunt(ctx, opts)
	if err != nil {
		return nil, err
	}
	p := &Pair{h: h}
	if err := p.open(ctx); err != nil {
		h.close()
		return nil, err
	}
	return p, nil
}

func (p *Pair) open(ctx context.Context) error {
	if err := p.h.takeTrees(ctx); err != nil {
		return err
	}
	if err := p.h.pickToolchain(ctx); err != nil {
		return err
	}
	p.GoodTree, p.BadTree, p.Go = p.h.good.tree, p.h.bad.tree, p.h.gocmd
	p.h.good.added, p.h.bad.added = make(map[string][]byte), make(map[string][]byte)
	return nil
}

// Close removes the binaries. The private trees stay for the next one.
func (p *Pair) Close() { p.h.close() }

// Dirs are the package's directories in the private trees.
func (p *Pair) Dirs() (good, bad string) { return p.h.good.dir, p.h.bad.dir }

// Warnings are what to tell the reader of a report.
func (p *Pair) Warnings() []string { return p.h.log.Notes() }

// Commands built what was built so far.
func (p *Pair) Commands() []string { return slices.Clone(p.h.report.Provenance.Commands) }

// Host is what the processes run on and with, for reports. Call it after Build.
func (p *Pair) Host() (host, environment []string) {
	if p.h.report.Provenance.Host == nil {
		p.h.recordHost()
	}
	return p.h.report.Provenance.Host, p.h.report.Provenance.Environment
}

// List runs "go list" with these arguments in the package's directory of both
// revisions, with the build tags of the options. Both errors are the joined one.
func (p *Pair) List(ctx context.Context, args ...string) (good, bad []byte, err error) {
	errGood, errBad := p.each(func(s *side) error {
		out, err := p.list(ctx, s, args)
		if s == p.h.good {
			good = out
		} else {
			bad = out
		}
		return err
	})
	return good, bad, errors.Join(errGood, errBad)
}

func (p *Pair) list(ctx context.Context, s *side, args []string) ([]byte, error) {
	all := []string{"list"}
	if p.h.opts.Tags != "" {
		all = append(all, "-tags="+p.h.opts.Tags)
	}
	cmd := exec.CommandContext(ctx, p.h.gocmd.Cmd, append(all, args...)...)
	cmd.Dir = s.dir
	cmd.Env = p.h.buildable(s, nil).Env(p.h.gocmd)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: listing packages: %w\n%s", s.label, err, strings.TrimSpace(stderr.String()))
	}
	return out, err
}

// Programs loads the package's code, for asking what it reaches: good's first, and then
// bad's, which finds compiled what both link. Each side has its own error.
func (p *Pair) Programs(ctx context.Context) (good, bad *callgraph.Program, errGood, errBad error) {
	good, errGood = p.h.load(ctx, p.h.good)
	bad, errBad = p.h.load(ctx, p.h.bad)
	return good, bad, errGood, errBad
}

// Build builds the package's test binary in both revisions, without probes. Each
// side has its own error.
func (p *Pair) Build(ctx context.Context) (good, bad harness.Binary, errGood, errBad error) {
	errGood, errBad = p.each(func(s *side) (err error) {
		if err := p.h.raiseLanguage(ctx, s); err != nil {
			return err
		}
		s.unprobed, err = p.h.build(ctx, s, "unprobed", nil, 0)
		return err
	})
	return p.h.good.unprobed, p.h.bad.unprobed, errGood, errBad
}

// each does the same for both sides at the same time.
func (p *Pair) each(do func(*side) error) (errGood, errBad error) {
	bothErrors(
		func() error { errGood = do(p.h.good); return errGood },
		func() error { errBad = do(p.h.bad); return errBad },
	)
	return errGood, errBad
}
