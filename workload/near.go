package workload

import (
	"cmp"
	"context"
	"go/ast"
	"maps"
	"slices"
	"strings"

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

// nearListed is how many callers are told of.
const nearListed = 5

// near finds which of the function's callers are run, and by what.
func (c *chooser) near(ctx context.Context, name string) error {
	found := make(map[string]Near)
	_, err := c.Sites(ctx, name, func(at *Site) error {
		for _, f := range at.Callers {
			if _, ok := found[f.Name]; !ok {
				found[f.Name] = Near{Function: f.Name, Steps: at.Steps(f)}
			}
		}
		if len(at.Candidates) == 0 {
			return nil
		}
		return c.runCallers(ctx, at, found)
	}, func(string) {}) // said before
	if err != nil {
		return err
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

// runCallers runs a package's candidates with a count in each caller.
func (c *chooser) runCallers(ctx context.Context, at *Site, found map[string]Near) error {
	callers := at.Callers
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
	for _, cand := range at.Candidates {
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
