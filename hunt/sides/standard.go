package sides

import (
	"context"

	"github.com/pinpoint-go/pinpoint/instrument"
)

// OpenStandard loads, on both sides, the source of packages of the standard library: those
// that are named, and then of those that the timed functions reach so many at most.
func (p Pair) OpenStandard(ctx context.Context, named []string, most int) error {
	for _, path := range named {
		for _, s := range p.Sides() {
			if _, err := s.openStandard(ctx, path); err != nil {
				return err
			}
		}
	}
	for opened, before := 0, -1; opened > before; {
		before = opened
		for _, s := range p.Sides() {
			for _, fn := range s.Prog.Reach(s.Timed) {
				if fn.Node != nil || fn.Pkg == nil || opened >= most {
					continue
				}
				did, err := s.openStandard(ctx, fn.Pkg.PkgPath)
				if err != nil {
					return err
				}
				if did {
					opened++
				}
			}
		}
	}
	return nil
}

// openStandard loads one, and reports whether that was news.
func (s *Side) openStandard(ctx context.Context, path string) (bool, error) {
	pkg := s.Prog.Linked(path)
	if pkg == nil || pkg.Module != nil || s.Closed(pkg) || len(pkg.Syntax) > 0 || instrument.Unprobed(path) != "" {
		return false, nil
	}
	_, err := s.OpenPackage(ctx, pkg)
	return err == nil, err
}
