package prove

import (
	"fmt"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/revert"
)

// A Composition is bad with good's code for a set of elements.
type Composition struct {
	Set   []int // of elements, ascending
	With  []int // elements that came along
	Code  Code
	Trial *compare.Trial
	Began time.Time // when it was first built or run
	Took  time.Duration
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

// compose asks for as little of good as compiles.
func (c *Composition) compose(l *Lab) (err error) {
	var of []Element
	for _, i := range c.Set {
		of = append(of, l.Elements[i])
	}
	c.Code, err = l.Composer.Compose(of)
	for i, e := range l.Elements {
		if !slices.Contains(c.Set, i) && slices.ContainsFunc(e.Suspects, func(s change.Suspect) bool { return Takes(c.Code.Plan, s) }) {
			c.With = append(c.With, i)
		}
	}
	return err
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
