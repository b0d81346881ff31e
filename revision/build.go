package revision

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// Build says what a binary is built with besides the tree, what was added to it, and the
// probe runtime, which is always there: probed and unprobed binaries differ in
// the inspected function only. The zero Build is the unprobed one.
type Build struct {
	Files   map[string][]byte  // by absolute path; one may be a probed form of what was added
	Probes  int                // how many IDs they have
	Layout  uint64             // seed of the linker's order of functions; 0: the order it has by itself
	ModFile string             // in place of the module's go.mod, with a go.sum beside it
	PGO     string             // as the spec's, in its place
	Meter   instrument.Meter   // what probes count; zero: the spec's
	Gauges  []instrument.Gauge // none: the spec's
	Boxes   bool               // the runtime counts interface conversions that allocate
}

// plain is a build that is made once.
type plain struct {
	meter  instrument.Meter
	gauges string
	boxes  bool
}

// Build makes a binary of the package. What has no files and no layout of its own is built
// once, and lasts as long as the set that opened the package; the others go with the set
// that they were asked of. The error is
// [*harness.BuildError] when the go command refused.
func (r *Revision) Build(ctx context.Context, b Build) (bin harness.Binary, err error) {
	if b.Meter == instrument.MeterTime {
		b.Meter = r.code.spec.Meter
	}
	if b.Gauges == nil {
		b.Gauges = r.code.spec.Gauges
	}
	if b.Files == nil && b.Layout == 0 && b.ModFile == "" && b.PGO == "" {
		same := r.code.once(plain{b.Meter, fmt.Sprint(b.Gauges), b.Boxes})
		bin, err = same.get(func() (harness.Binary, error) { return r.build(ctx, b, r.code.out) })
	} else {
		bin, err = r.build(ctx, b, r.set.dir)
	}
	if err != nil {
		return harness.Binary{}, err
	}
	bin.Label, bin.Probes = r.Label, b.Probes
	r.set.built(bin)
	return bin, nil
}

func (c *code) once(p plain) *once[harness.Binary] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.plain == nil {
		c.plain = make(map[plain]*once[harness.Binary])
	}
	if c.plain[p] == nil {
		c.plain[p] = &once[harness.Binary]{}
	}
	return c.plain[p]
}

// errUnbuilt is for who asks for more than was opened.
var errUnbuilt = errors.New("a revision that was opened to be read is not built")

func (r *Revision) build(ctx context.Context, b Build, out string) (harness.Binary, error) {
	side, err := r.buildable(ctx, b)
	if err != nil {
		return harness.Binary{}, err
	}
	return r.code.gocmd.Build(ctx, side, r.code.spec.Workload, out)
}

// Decisions are the compiler's about packages in a build, and about tests where these are
// asked for.
func (r *Revision) Decisions(ctx context.Context, b Build, tests bool, pkgs ...string) (harness.Decisions, error) {
	side, err := r.buildable(ctx, b)
	if err != nil {
		return harness.Decisions{}, err
	}
	return r.code.gocmd.Decisions(ctx, side, r.code.spec.Workload, pkgs, tests)
}

// buildable is the revision as the go command sees it in a build.
func (r *Revision) buildable(ctx context.Context, b Build) (harness.Side, error) {
	if r.code.spec.Unbuilt {
		return harness.Side{}, errUnbuilt
	}
	side, err := r.side(ctx)
	if err != nil {
		return side, err
	}
	side.Layout = b.Layout
	if b.PGO != "" {
		side.PGO = b.PGO
	}
	if side.Overlay, err = r.overlay(ctx, b); err != nil {
		return side, err
	}
	if b.ModFile != "" {
		side.ModFile = b.ModFile
		return side, nil
	}
	return side, r.code.deps.place(ctx, &side)
}

// overlay is what lies over the tree in a build: the probe runtime, what was added to the
// revision, and files of this build, one of which may be a probed form of the added.
func (r *Revision) overlay(ctx context.Context, b Build) (map[string][]byte, error) {
	laid := r.code.laid()
	maps.Copy(laid, b.Files)
	if b.Meter == instrument.MeterCalls {
		prog, err := r.Load(ctx)
		if err != nil {
			return nil, err
		}
		if err := countEntries(prog, laid); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Label, err)
		}
	}
	root := r.code.gocmd.Root
	o := instrument.Overlay{}
	if err := o.AddMeter(root, b.Meter); err != nil {
		return nil, err
	}
	for _, g := range b.Gauges {
		if err := o.AddGauge(root, g); err != nil {
			return nil, err
		}
	}
	if b.Boxes {
		if err := o.AddBoxes(root); err != nil {
			return nil, err
		}
	}
	return o.Files, o.Add(laid)
}

// countEntries lays counting functions over a revision for a meter of calls: all
// those of the main module.
func countEntries(prog *callgraph.Program, laid map[string][]byte) error {
	for _, pkg := range prog.Packages() {
		if pkg.Module == nil || !pkg.Module.Main {
			continue
		}
		for _, name := range pkg.GoFiles {
			src, ok := laid[name]
			if !ok {
				src = prog.Contents(name)
			}
			if src == nil { // not read: cgo made another file of it
				continue
			}
			counted, err := instrument.CountEntries(name, src)
			if err != nil {
				return err
			}
			laid[name] = counted
		}
	}
	return nil
}
