package workload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/revision"
)

// A Choice is what runs a function.
type Choice struct {
	Function string   // its full name
	Ran      []Ran    // those in which it took time, the best first
	Near     []Near   // where there are none: its callers, the nearest first
	Looked   int      // how many candidates were run
	Late     bool     // the time was up before all were
	Notes    []string // what was not looked at, and why
}

// Ran is a candidate that was seen to run the function.
type Ran struct {
	Candidate
	Share float64 // of its time that the function takes; of goroutines together at most 1
	Calls float64 // of the function per operation
	NS    float64 // per operation
}

// Choose runs what reaches the function, nearest first, and puts in order what was seen
// to run it. Tests are looked at only where no benchmark runs it. The error is
// *callgraph.NameError when no function or several have the name.
func (s *Search) Choose(ctx context.Context, name string) (*Choice, error) {
	temp, err := harness.NewTempDir()
	if err != nil {
		return nil, err
	}
	defer temp.Remove()
	c := &chooser{Search: s, binaries: temp.Path}
	skip := func(why string) { c.note("%s", why); c.Late = c.Late || s.late() }
	if c.Function, err = s.Sites(ctx, name, func(at *Site) error { return c.keep(ctx, at) }, skip); err != nil {
		return nil, err
	}
	for _, kind := range []harness.Kind{harness.Bench, harness.Test} {
		if err := c.runAll(ctx, kind); err != nil {
			return nil, err
		}
		if len(c.Ran) > 0 {
			c.order()
			c.doubt()
			return &c.Choice, nil
		}
	}
	err = c.near(ctx, name)
	return &c.Choice, err
}

// chooser is one choice under way.
type chooser struct {
	*Search
	Choice
	built    []built
	binaries string // directory
}

// built is a package's test binary, with probe 0 around the function, and what may run
// it.
type built struct {
	bin        harness.Binary
	candidates []Candidate
}

// keep builds a package with a probe around the function, if anything of it may run that.
func (c *chooser) keep(ctx context.Context, at *Site) error {
	if len(at.Candidates) == 0 {
		return nil
	}
	bin, err := probed(ctx, at)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.note("%s was not looked at: %s", at.Candidates[0].Package, firstLine(err))
		return nil
	}
	// What was loaded of all packages at the same time would take gigabytes, so of a
	// package only the binary is kept.
	from := bin.Path
	bin.Path = filepath.Join(c.binaries, fmt.Sprintf("%d.test", len(c.built)))
	c.built = append(c.built, built{bin, at.Candidates})
	return os.Rename(from, bin.Path)
}

func probed(ctx context.Context, at *Site) (harness.Binary, error) {
	file, err := at.Source(at.Func)
	if err != nil {
		return harness.Binary{}, err
	}
	// The outermost activation of a recursion holds the others.
	out, refused, err := instrument.Rewrite(file, nil, []instrument.BodyProbe{{ID: 0, Func: at.Func.Node, Group: 1}})
	if err != nil {
		return harness.Binary{}, err
	}
	if len(refused) > 0 {
		return harness.Binary{}, fmt.Errorf("%s can't be probed: %s", at.Func.Name, refused[0].Reason)
	}
	return at.Build(ctx, revision.Build{Files: map[string][]byte{file.Name: out}, Probes: 1})
}

// worthTiming is how many benchmarks are run for longer, to tell which is the best.
const worthTiming = 12

// runAll runs all candidates of a kind once. What runs the function is run again, for
// long enough to say its share.
func (c *chooser) runAll(ctx context.Context, kind harness.Kind) error {
	var first []timing
	total, done := c.count(kind), 0
	for _, b := range c.built {
		for _, cand := range b.candidates {
			if cand.Kind != kind {
				continue
			}
			if c.late() {
				if !c.Late {
					c.note("%s and others were not run: the time was up", cand)
				}
				c.Late = true
				break
			}
			c.opts.Progress("running what may run "+c.Function, done, total)
			done++
			found, err := c.run(ctx, b.bin, cand, harness.Order{N: 1, Batches: 1})
			if err != nil {
				return err
			}
			for _, r := range found {
				first = append(first, timing{r, b.bin})
			}
		}
	}
	slices.SortStableFunc(first, func(a, b timing) int { return cmp.Compare(b.Share, a.Share) })
	for i, t := range first {
		if kind == harness.Bench && i < worthTiming && !c.late() {
			c.opts.Progress("timing what runs it", i, min(len(first), worthTiming))
			again, err := c.run(ctx, t.bin, t.Candidate, harness.Order{})
			if err != nil {
				return err
			}
			c.Ran = append(c.Ran, again...)
			continue
		}
		c.Ran = append(c.Ran, t.Ran)
	}
	return nil
}

// count is how many candidates of a kind there are.
func (c *chooser) count(kind harness.Kind) int {
	n := 0
	for _, b := range c.built {
		for _, cand := range b.candidates {
			if cand.Kind == kind {
				n++
			}
		}
	}
	return n
}

type timing struct {
	Ran
	bin harness.Binary
}

// run runs a candidate in one process and gives those of its benchmarks that enter the
// function while they are timed. What fails is noted; the error is that of ctx.
func (c *chooser) run(ctx context.Context, bin harness.Binary, cand Candidate, o harness.Order) ([]Ran, error) {
	w := c.opts.Process
	w.Kind, w.Pattern = cand.Kind, cand.Pattern
	o.On = [][]int{{0}}
	p, err := harness.Run(ctx, bin, w, o)
	var several *harness.ChoiceError // all of them are wanted
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.As(err, &several):
		c.note("%s does not run: %v", cand, firstLine(err))
		return nil, nil
	}
	if o.N != 0 {
		c.Looked++
	}
	longest := make(map[string]harness.Batch)
	for _, b := range p.Batches {
		if b.N >= longest[b.Bench].N {
			longest[b.Bench] = b
		}
	}
	var list []Ran
	for name, b := range longest {
		if len(b.Parts) == 0 || b.Parts[0].Calls == 0 {
			continue
		}
		r := Ran{Candidate: cand}
		if name != "" && name != cand.Name {
			r.Name = name
			r.Pattern = harness.PatternOf(name, p.Benchmarks)
		}
		part, n := b.Parts[0], float64(b.N)
		own := max(0, part.NS-float64(part.Calls)*p.Clock.PairCost)
		r.Calls, r.NS = float64(part.Calls)/n, b.NS/n
		r.Share = math.Min(1, own/max(b.NS, 1))
		list = append(list, r)
	}
	return list, nil
}

// alike is the factor below which shares are as good as each other; then the one is better
// that runs the function for longer, up to what a process has time for: small inputs
// hide what grows with size.
const alike = 1.1

// enough is the time of an operation beyond which longer ones are no better, in ns.
const enough = 10e6

func (c *chooser) order() {
	slices.SortFunc(c.Ran, func(a, b Ran) int {
		return cmp.Or(
			cmp.Compare(rank(a.Share), rank(b.Share)),
			cmp.Compare(min(b.NS, enough), min(a.NS, enough)),
			strings.Compare(a.Package+" "+a.Name, b.Package+" "+b.Name),
		)
	})
}

// little is the share of a test's time below which it hardly shows what the function
// takes.
const little = 0.1

// doubt tells of a choice that will hardly show anything.
func (c *chooser) doubt() {
	if best := c.Ran[0]; best.Share < little {
		c.note("it takes little of what runs it, so little can be seen: pinpoint driver --func %s makes a benchmark of what the tests give it", harness.Quote([]string{c.Function}))
	}
}

// rank is 0 for the largest shares, and more for less.
func rank(share float64) float64 { return math.Floor(-math.Log(max(share, 1e-9)) / math.Log(alike)) }

func (c *chooser) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}
