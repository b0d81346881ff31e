package measure

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// A revision is one version of the code: its tree and what was built of it.
type revision struct {
	name  string // as the user said it
	label string // the same as a file's name
	tree  backup.Tree
	dir   string            // the workload's package in the tree; go runs here
	added map[string][]byte // the driver, by absolute path
	bins  map[string]harness.Binary
	units map[string][]int // of countings, by the run's key
	prog  *callgraph.Program
}

// take makes the private tree of a revision.
func (c *campaign) take(ctx context.Context, i int, name string) (*revision, error) {
	resolved, err := c.repo.Resolve(ctx, name)
	if err != nil {
		return nil, err
	}
	same := 1
	for _, other := range c.opts.Revs[:i] {
		if other == name {
			same++
		}
	}
	if same > 1 {
		// Held against itself, a revision is told apart by its turn.
		name = fmt.Sprintf("%s#%d", name, same)
	}
	r := &revision{name: name, label: strings.Map(nameable, name), bins: map[string]harness.Binary{}, units: map[string][]int{}}
	if r.tree, err = c.repo.Tree(ctx, c.opts.CacheDir, resolved); err != nil {
		return nil, err
	}
	r.tree.Name = name
	for _, module := range r.tree.Missing {
		c.result.warn("%s: the submodule %s is not present locally and is missing from what is measured", name, module)
	}
	r.dir = filepath.Join(r.tree.Dir, filepath.FromSlash(c.repo.Prefix()), filepath.FromSlash(c.opts.Package))
	if st, err := os.Stat(r.dir); err != nil || !st.IsDir() {
		return nil, fmt.Errorf("%s: %s has no such directory", c.opts.Package, name)
	}
	return r, c.place(r)
}

// place lays the driver over the tree.
func (c *campaign) place(r *revision) error {
	if c.opts.Driver == "" {
		return nil
	}
	content, err := harness.ReadDriver(c.opts.Driver)
	if err != nil {
		return err
	}
	r.added = map[string][]byte{filepath.Join(r.dir, filepath.Base(c.opts.Driver)): content}
	return nil
}

// pickToolchain finds the one toolchain that builds all revisions, the newest
// that any of them asks for.
func (c *campaign) pickToolchain(ctx context.Context) error {
	newest := c.revs[0]
	gocmd, err := harness.FindGo(ctx, newest.dir)
	if err != nil {
		return err
	}
	for _, r := range c.revs[1:] {
		picked, warning, err := harness.PickToolchain(ctx, newest.dir, r.dir)
		if err != nil {
			return err
		}
		if warning != "" {
			c.result.warn("the revisions ask for several toolchains: all are built with %s", picked.Version)
		}
		if picked.Root != gocmd.Root {
			gocmd, newest = picked, r
		}
	}
	c.gocmd, err = gocmd.Workshop(ctx, c.opts.CacheDir, c.out)
	return err
}

// binary is what a run's processes of a revision are. What needs nothing special
// is the same for all.
func (c *campaign) binary(ctx context.Context, r *revision, of run) (harness.Binary, error) {
	key := "plain"
	if of.count != nil || of.meter != instrument.MeterTime || len(of.gauges) > 0 {
		key = of.key
	}
	if bin, ok := r.bins[key]; ok {
		return bin, nil
	}
	c.progress("building " + r.name)
	overlay, probes, err := c.overlay(ctx, r, of)
	if err != nil {
		return harness.Binary{}, fmt.Errorf("%s: %w", r.name, err)
	}
	out := filepath.Join(c.out, r.label+"-"+fmt.Sprint(len(r.bins)))
	if err := os.MkdirAll(out, 0o755); err != nil {
		return harness.Binary{}, err
	}
	bin, err := c.gocmd.Build(ctx, c.side(r, overlay), c.opts.Workload, out)
	if err != nil {
		return harness.Binary{}, err
	}
	bin.Probes = probes
	r.bins[key] = bin
	return bin, nil
}

func (c *campaign) side(r *revision, overlay map[string][]byte) harness.Side {
	return harness.Side{Label: r.label, Dir: r.dir, Top: r.tree.Dir, Package: ".", Overlay: overlay, Tags: c.opts.Tags}
}

// overlay is what lies over a revision's tree and the standard library in a
// build, with the number of probes that it has.
func (c *campaign) overlay(ctx context.Context, r *revision, of run) (map[string][]byte, int, error) {
	o := instrument.Overlay{}
	if err := o.AddMeter(c.gocmd.Root, of.meter); err != nil {
		return nil, 0, err
	}
	for _, g := range of.gauges {
		if err := o.AddGauge(c.gocmd.Root, g); err != nil {
			return nil, 0, err
		}
	}
	laid := maps.Clone(r.added)
	if laid == nil {
		laid = map[string][]byte{}
	}
	probes := of.probes()
	if of.count != nil {
		w, err := c.rewrite(ctx, r, of)
		if err != nil {
			return nil, 0, err
		}
		if w.boxes {
			if err := o.AddBoxes(c.gocmd.Root); err != nil {
				return nil, 0, err
			}
		}
		maps.Copy(laid, w.files)
		probes = len(w.unit)
	}
	return o.Files, probes, o.Add(laid)
}

// rewrite changes the code so that it can be counted.
func (c *campaign) rewrite(ctx context.Context, r *revision, of run) (rewritten, error) {
	prog, err := c.load(ctx, r)
	if err != nil {
		return rewritten{}, err
	}
	w, err := of.count.rewrite(ctx, of.count, code{prog: prog, gocmd: c.gocmd.Cmd})
	if err != nil {
		return w, err
	}
	r.units[of.key] = w.unit
	for _, note := range w.notes {
		c.result.warn("%s: %s", r.name, note)
	}
	return w, nil
}

// load loads the revision's code, once.
func (c *campaign) load(ctx context.Context, r *revision) (*callgraph.Program, error) {
	if r.prog != nil {
		return r.prog, nil
	}
	o := instrument.Overlay{Files: r.added}
	file, err := o.Write(filepath.Join(c.out, r.label+"-load"))
	if err != nil {
		return nil, err
	}
	flags := []string{"-overlay=" + file}
	if c.opts.Tags != "" {
		flags = append(flags, "-tags="+c.opts.Tags)
	}
	c.progress("loading " + r.name)
	r.prog, err = callgraph.Load(ctx, callgraph.Config{
		Dir: r.dir, Package: ".", Tests: c.opts.Workload.Kind != harness.Main,
		BuildFlags: flags, Env: c.side(r, nil).Env(c.gocmd),
	})
	if err != nil {
		return nil, fmt.Errorf("does not compile:\n%w", err)
	}
	return r.prog, nil
}

// warnOfWrites tells of a workload that writes into its own tree.
func (c *campaign) warnOfWrites() {
	for _, r := range c.revs {
		if changed, err := r.tree.Changed(); err == nil && len(changed) > 0 {
			c.result.warn("the workload of %s writes into its own source tree (%s): its processes may not be alike", r.name, changed[0])
		}
	}
}

// nameOf makes a part of a benchmark's name of a pattern or path.
func nameOf(s string) string {
	s = s[strings.LastIndexByte(s, '/')+1:]
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`^$\ `, r) {
			return -1
		}
		return nameable(r)
	}, s)
}
