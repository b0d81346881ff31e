package suite

import (
	"context"

	"github.com/pinpoint-go/pinpoint/report"
)

// choose decides for each benchmark of the package whether it is compared, and
// says why.
func (r *run) choose(ctx context.Context, p *pkg) error {
	if len(p.functions) == 0 {
		return nil
	}
	trees := r.set.Pair()
	var err error
	if p.diff, err = p.difference(trees.Good.Dir, trees.Bad.Dir); err != nil {
		return err
	}
	if !r.opts.Changed {
		p.chooseAll(r.opts.named())
		return nil
	}
	r.progress("looking for what changed below %s", p.path)
	switch {
	case p.diff.all != "":
		p.chooseAll(p.diff.all)
	case len(p.diff.code) > 0:
		if err := r.chooseByReach(ctx, p); err != nil {
			return err
		}
	}
	p.dropUnchosen(r, len(p.diff.code) > 0)
	return nil
}

// listChosen lists what would be compared.
func (r *run) listChosen() {
	for _, p := range r.packages {
		for _, f := range p.functions {
			for _, name := range f.chosen() {
				p.listOnly(name, f.position, report.IsChosen, f.why, r)
			}
		}
	}
}

// dropUnchosen lists what is not compared.
func (p *pkg) dropUnchosen(r *run, loaded bool) {
	not := "nothing its test binary is made of changed"
	if loaded {
		not = "nothing it reaches changed"
	}
	kept := p.functions[:0]
	for _, f := range p.functions {
		if f.why != "" {
			kept = append(kept, f)
			continue
		}
		p.listOnly(f.name, f.position, report.IsUnselected, not, r)
	}
	p.functions = kept
}
