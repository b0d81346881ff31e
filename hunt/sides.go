package hunt

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/report"
)

// side is one revision: its tree, what is laid over it, and its code.
type side struct {
	label    string // good or bad
	tree     backup.Tree
	dir      string            // the workload's package in the tree; go runs here
	added    map[string][]byte // drivers and carried files, by absolute path
	prog     *callgraph.Program
	gcflags  []string
	layout   uint64 // of a link, see harness.Side
	unprobed harness.Binary
	timed    *callgraph.Function // what the benchmark times; found when it has run
	deps     *dependencies
}

// prepare makes both trees, places the workload in them, builds them unprobed
// and loads their code.
func (h *hunt) prepare(ctx context.Context) error {
	if err := h.takeTrees(ctx); err != nil {
		return err
	}
	if err := h.placeWorkload(); err != nil {
		return err
	}
	if err := h.pickToolchain(ctx); err != nil {
		return err
	}
	if err := both(func(s *side) error { return h.raiseLanguage(ctx, s) }, h.good, h.bad); err != nil {
		return err
	}
	err := h.open(ctx)
	if err == nil {
		h.report.Workload.Package, _ = h.bad.prog.Package()
		h.recordHost()
	}
	return err
}

// pickToolchain finds the one toolchain that builds both sides.
func (h *hunt) pickToolchain(ctx context.Context) error {
	gocmd, warning, err := harness.PickToolchain(ctx, h.good.dir, h.bad.dir)
	if err != nil {
		return err
	}
	if h.gocmd, err = gocmd.Workshop(ctx, h.opts.CacheDir, h.temp.Path); err != nil {
		return err
	}
	if warning != "" {
		h.log.Warn("%s", warning)
	}
	for _, s := range []*side{h.good, h.bad} {
		s.deps = h.newDependencies(s)
	}
	return nil
}

func (h *hunt) takeTrees(ctx context.Context) error {
	h.log.Phase("taking private copies of both revisions")
	revs := make(map[string]backup.Revision)
	for label, name := range map[string]string{"good": h.opts.Good, "bad": h.opts.Bad} {
		rev, err := h.repo.Resolve(ctx, name)
		if err != nil {
			return fmt.Errorf("--%s: %w", label, err)
		}
		revs[label] = rev
	}
	h.good, h.bad = &side{label: "good"}, &side{label: "bad"}
	h.report.Good = report.Revision{Rev: h.opts.Good, Commit: revs["good"].Commit}
	h.report.Bad = report.Revision{Rev: h.opts.Bad, Commit: revs["bad"].Commit}
	return both(func(s *side) error {
		tree, err := h.repo.Tree(ctx, h.opts.CacheDir, revs[s.label])
		if err != nil {
			return err
		}
		s.tree = tree
		for _, name := range tree.Missing {
			h.log.Warn("%s: the submodule %s is not present locally and is missing from what is measured", s.label, name)
		}
		s.dir = filepath.Join(tree.Dir, filepath.FromSlash(h.repo.Prefix()), filepath.FromSlash(h.opts.Package))
		if st, err := os.Stat(s.dir); err != nil || !st.IsDir() {
			return fmt.Errorf("--pkg %s: %s has no such directory", h.opts.Package, s.label)
		}
		return nil
	}, h.good, h.bad)
}

// open loads both sides' code and builds them unprobed. Good is loaded first: what
// both link besides their own code is compiled once by that, and not by several go
// commands at the same time. What a build says of a side that does not compile tells
// more than what loading says.
func (h *hunt) open(ctx context.Context) error {
	h.log.Phase("building and loading both revisions")
	unprobed := func(s *side) error { return h.buildUnprobed(ctx, s) }
	if h.sampler.Quantity.Meter == instrument.MeterCalls {
		if err := h.loadBoth(ctx); err != nil {
			return err
		}
		return both(unprobed, h.good, h.bad)
	}
	var loadErr error
	h.good.prog, loadErr = h.load(ctx, h.good)
	var badProg *callgraph.Program // which bad's build is not to see come
	err := bothErrors(
		func() error { return cmp.Or(unprobed(h.good), loadErr) },
		func() error {
			return bothErrors(
				func() error { return unprobed(h.bad) },
				func() (err error) { badProg, err = h.load(ctx, h.bad); return err },
			)
		},
	)
	h.bad.prog = badProg
	return err
}

// buildUnprobed makes the side's unprobed binary. What counts its calls is found in
// the code, which is then to be loaded before.
func (h *hunt) buildUnprobed(ctx context.Context, s *side) (err error) {
	s.unprobed, err = h.build(ctx, s, "unprobed", nil, 0)
	return err
}

// loadBoth loads good and then bad, which finds compiled what both link.
func (h *hunt) loadBoth(ctx context.Context) (err error) {
	if h.good.prog, err = h.load(ctx, h.good); err == nil {
		h.bad.prog, err = h.load(ctx, h.bad)
	}
	return err
}

// load loads the side's code, with what is laid over it in its unprobed build: then
// what the go command compiles here serves there.
func (h *hunt) load(ctx context.Context, s *side) (*callgraph.Program, error) {
	laid, err := h.withRuntime(s.added)
	if err != nil {
		return nil, err
	}
	overlay, err := h.writeOverlay(s, "load", laid)
	if err != nil {
		return nil, err
	}
	side := h.buildable(s, nil)
	prog, err := callgraph.Load(ctx, callgraph.Config{
		Dir:        s.dir,
		Package:    side.Package,
		Tests:      h.opts.Workload.Kind != harness.Main,
		BuildFlags: side.BuildFlags(overlay),
		Env:        side.Env(h.gocmd),
	})
	if err != nil {
		return nil, fmt.Errorf("%s does not compile:\n%w", s.label, err)
	}
	return prog, nil
}

// build makes one binary of the side with files laid over the tree besides the
// probe runtime, which is always there: probed and unprobed binaries differ in
// the inspected function only.
func (h *hunt) build(ctx context.Context, s *side, name string, files map[string][]byte, probes int) (harness.Binary, error) {
	laid, err := h.overlay(s, files)
	if err != nil {
		return harness.Binary{}, err
	}
	out := filepath.Join(h.temp.Path, s.label+"-"+name)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return harness.Binary{}, err
	}
	buildable := h.buildable(s, laid)
	if err := s.deps.place(ctx, &buildable); err != nil {
		return harness.Binary{}, err
	}
	bin, err := h.gocmd.Build(ctx, buildable, h.opts.Workload, out)
	if err != nil {
		return harness.Binary{}, err
	}
	bin.Probes = probes
	h.built(bin)
	return bin, nil
}

// overlay is what lies over the side's tree in a build: the probe runtime, what
// was added to the side, and files of this build, one of which may be a probed
// form of the added.
func (h *hunt) overlay(s *side, files map[string][]byte) (map[string][]byte, error) {
	laid := maps.Clone(s.added)
	maps.Copy(laid, files)
	if err := h.countEntries(s, laid); err != nil {
		return nil, err
	}
	return h.withRuntime(laid)
}

// withRuntime adds the probe runtime to files.
func (h *hunt) withRuntime(files map[string][]byte) (map[string][]byte, error) {
	overlay := instrument.Overlay{}
	if err := overlay.AddMeter(h.gocmd.Root, h.sampler.Quantity.Meter); err != nil {
		return nil, err
	}
	if err := overlay.Add(files); err != nil {
		return nil, err
	}
	return overlay.Files, nil
}

// buildable is the side as the go command sees it.
func (h *hunt) buildable(s *side, overlay map[string][]byte) harness.Side {
	return harness.Side{
		Label:   s.label,
		Dir:     s.dir,
		Top:     s.tree.Dir,
		Package: ".",
		GCFlags: s.gcflags,
		Overlay: overlay,
		Tags:    h.opts.Tags,
		Layout:  s.layout,
	}
}

// built counts a build. The two sides build at the same time.
func (h *hunt) built(bin harness.Binary) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.report.Search.Builds++
	h.report.Provenance.Commands = append(h.report.Provenance.Commands, harness.Quote(bin.Command))
}

// writeOverlay writes an overlay file for loading and gives its path.
func (h *hunt) writeOverlay(s *side, name string, files map[string][]byte) (string, error) {
	dir := filepath.Join(h.temp.Path, s.label+"-"+name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	overlay := instrument.Overlay{Files: files}
	return overlay.Write(dir)
}

// both does the same for two sides at the same time. The first side's error is
// given if both fail: they usually fail alike.
func both(do func(*side) error, good, bad *side) error {
	return bothErrors(func() error { return do(good) }, func() error { return do(bad) })
}

func bothErrors(first, second func() error) error {
	var wg sync.WaitGroup
	var errs [2]error
	for i, f := range []func() error{first, second} {
		wg.Go(func() { errs[i] = f() })
	}
	wg.Wait()
	if errs[0] != nil {
		return errs[0]
	}
	return errs[1]
}
