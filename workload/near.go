package workload

import (
	"cmp"
	"context"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Near is a caller of a function that nothing runs.
type Near struct {
	Function string
	Steps    int    // calls from it to the function, at least
	By       string // what was seen to run it; "" is nothing
}

// nearPackages bounds the packages that are looked at again, and nearListed what is
// told of.
const (
	nearPackages = 4
	nearListed   = 5
)

// near finds which of the function's callers are run, and by what.
func (c *chooser) near(ctx context.Context) error {
	found := make(map[string]Near)
	packages := c.nearest(c.home)
	for _, p := range packages[:min(len(packages), nearPackages)] {
		set, rev, err := c.in(ctx, p)
		if err != nil {
			return err
		}
		defer set.Close()
		at, err := c.reach(ctx, rev, p, c.Function)
		if err != nil {
			continue // noted before
		}
		callers := at.callers()
		for _, f := range callers {
			if _, ok := found[f.Name]; !ok {
				found[f.Name] = Near{Function: f.Name, Steps: at.steps[f]}
			}
		}
		if len(at.candidates) == 0 || c.late() {
			continue
		}
		if err := c.runCallers(ctx, at, callers, found); err != nil {
			return err
		}
	}
	c.Near = slices.SortedFunc(maps.Values(found), func(a, b Near) int {
		return cmp.Or(strings.Compare(b.By, a.By)*notBoth(a.By, b.By), a.Steps-b.Steps, strings.Compare(a.Function, b.Function))
	})
	c.Near = c.Near[:min(len(c.Near), nearListed)]
	return nil
}

// notBoth is 1 where one of two is empty and the other isn't, else 0.
func notBoth(a, b string) int {
	if (a == "") != (b == "") {
		return 1
	}
	return 0
}

// callers are the declared functions that reach the site's function and are no tests.
func (at *site) callers() []*callgraph.Function {
	var list []*callgraph.Function
	for f := range at.steps {
		if _, ok := f.Node.(*ast.FuncDecl); ok && f != at.fn && f.HasBody() && !strings.HasSuffix(f.Filename(), "_test.go") {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *callgraph.Function) int {
		return cmp.Or(at.steps[a]-at.steps[b], strings.Compare(a.Name, b.Name))
	})
	return list
}

// runCallers runs a package's candidates with a count in each caller.
func (c *chooser) runCallers(ctx context.Context, at *site, callers []*callgraph.Function, found map[string]Near) error {
	files := make(map[string][]byte)
	counted := make(map[*ast.File][]instrument.BodyHit)
	for id, f := range callers {
		counted[f.File] = append(counted[f.File], instrument.BodyHit{ID: id, Func: f.Node})
	}
	for _, f := range callers {
		hits, ok := counted[f.File]
		if !ok {
			continue
		}
		delete(counted, f.File)
		file, err := at.Source(f)
		if err != nil {
			return err
		}
		out, _, err := instrument.CountCalls(file, hits, nil)
		if err != nil {
			return err
		}
		files[file.Name] = out
	}
	bin, err := at.Build(ctx, revision.Build{Files: files, Probes: len(callers)})
	if err != nil {
		return ctx.Err()
	}
	on := make([]int, len(callers))
	for id := range on {
		on[id] = id
	}
	for _, cand := range at.candidates {
		if c.late() {
			return nil
		}
		w := c.opts.Process
		w.Kind, w.Pattern = cand.Kind, cand.Pattern
		p, _ := harness.Run(ctx, bin, w, harness.Order{N: 1, Batches: 1, On: [][]int{on}})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, b := range p.Batches {
			for id, part := range b.Parts {
				if near := found[callers[id].Name]; part.Calls > 0 && near.By == "" {
					near.By = cand.String()
					found[callers[id].Name] = near
				}
			}
		}
	}
	return nil
}
