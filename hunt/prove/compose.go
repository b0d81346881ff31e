package prove

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/revert"
	"github.com/pinpoint-go/pinpoint/revision"
)

// A Composition is bad with good's code for a set of elements.
type Composition struct {
	Set   []int       // of elements, ascending
	With  []int       // elements that came along
	Plan  revert.Plan // of the module's own code
	Trial *compare.Trial
	Began time.Time // when it was first built or run
	Took  time.Duration
	mod   []byte // go.mod and go.sum with good's versions, nil if no dependency is put back
	sum   []byte
	err   error // why it can't be composed, built or run; wraps finder.ErrCannot
}

// Err is why it can't be composed, built or run; nil if it can, as far as is known.
func (c *Composition) Err() error { return c.err }

// composed is the composition of a set, type-checked and not built. It is made once.
func (l *Lab) composed(set []int) *Composition {
	key := fmt.Sprint(set)
	if c := l.known[key]; c != nil {
		return c
	}
	c := &Composition{Set: slices.Clone(set)}
	c.err = c.compose(l)
	if c.err != nil {
		c.err = fmt.Errorf("%w: %w", finder.ErrCannot, c.err)
	}
	l.known[key] = c
	return c
}

// compose takes as little of good as compiles.
func (c *Composition) compose(l *Lab) error {
	var want []change.Suspect
	var versions []change.Module
	for _, i := range c.Set {
		want = append(want, l.Elements[i].Suspects...)
		if m := l.Elements[i].Module; m != nil {
			versions = append(versions, *m)
		}
	}
	if len(versions) > 0 {
		plan, err := revert.ComposeModules(l.Change, versions)
		if err != nil {
			return err
		}
		c.mod, c.sum = plan.Mod, plan.Sum
	}
	if len(want) == 0 {
		return nil
	}
	var errs []error
	for level := revert.Alone; level <= revert.Package; level++ {
		plan, err := revert.Compose(l.Change, want, level)
		if err == nil {
			c.Plan = plan
			c.With = l.taken(c)
			return nil
		}
		errs = append(errs, fmt.Errorf("%v: %w", level, err))
	}
	return errors.Join(errs...)
}

// taken are the elements that came with a composition and were not asked for.
func (l *Lab) taken(c *Composition) []int {
	var with []int
	for i, e := range l.Elements {
		if !slices.Contains(c.Set, i) && slices.ContainsFunc(e.Suspects, func(s change.Suspect) bool { return Takes(c.Plan, s) }) {
			with = append(with, i)
		}
	}
	return with
}

// Takes says whether good's code for a suspect is in a plan, asked for or not.
func Takes(p revert.Plan, s change.Suspect) bool {
	names := []string{s.Name}
	if s.Good != nil {
		names = append(names, s.Good.Name)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(p.Functions, name) || slices.Contains(p.Decls, name) || slices.Contains(p.Removed, name)
	})
}

// build makes the program, to be linked in any order.
func (l *Lab) build(ctx context.Context, c *Composition) (*compare.Entrant, error) {
	b := revision.Build{Files: c.Plan.Files}
	if c.mod != nil {
		dir, err := os.MkdirTemp(l.Dir, "versions-")
		if err != nil {
			return nil, err
		}
		b.ModFile = filepath.Join(dir, "go.mod")
		if err := os.WriteFile(b.ModFile, c.mod, 0o644); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, "go.sum"), c.sum, 0o644); err != nil {
			return nil, err
		}
	}
	in := func(ctx context.Context, order uint64) (harness.Binary, error) {
		b := b
		b.Layout = order
		return l.Bad.Build(ctx, b)
	}
	bin, err := in(ctx, 0)
	if err != nil {
		return nil, err
	}
	return compare.NewEntrant(bin, in), nil
}
