package prove

import (
	"fmt"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/trace"
)

// A Composition is bad with good's code for a set of elements.
type Composition struct {
	Set   []int // of elements, ascending
	Base  []int // those of them that what it is held against has, too; nil: that is bad
	With  []int // elements that came along
	Code  Code
	Trial *compare.Trial
	Began time.Time // when it was first built or run
	Took  time.Duration
	back  *compare.Entrant // once it was built
	err   error            // why it can't be composed, built or run; wraps finder.ErrCannot
}

// Err is why it can't be composed, built or run; nil if it can, as far as is known.
func (c *Composition) Err() error { return c.err }

// composed is the composition of a set, type-checked and not built. It is made once.
func (l *Lab) composed(set []int) *Composition {
	key := fmt.Sprint(set)
	if c := l.known[key]; c != nil {
		return c
	}
	defer l.Whole.Sampler.Log.Trace.Begin(trace.Compose, l.Name(set))()
	c := &Composition{Set: slices.Clone(set)}
	c.err = c.compose(l)
	if c.err != nil {
		c.err = fmt.Errorf("%w: %w", finder.ErrCannot, c.err)
	}
	l.known[key] = c
	return c
}

// on is the composition of a set as it is held against bad with a base within it.
func (l *Lab) on(base, set []int) *Composition {
	key := fmt.Sprint(base, set)
	if l.known[key] == nil {
		of := l.composed(set)
		l.known[key] = &Composition{Set: of.Set, Base: slices.Clone(base), With: of.With, Code: of.Code, err: of.err}
	}
	return l.known[key]
}

// compose asks for as little of good as compiles.
func (c *Composition) compose(l *Lab) error {
	code, with, err := l.Composer.Compose(l.Elements, c.Set)
	c.Code = code
	for _, i := range with {
		if !slices.Contains(c.Set, i) {
			c.With = append(c.With, i)
		}
	}
	return err
}
