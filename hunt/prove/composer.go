package prove

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/revert"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Code is what of good stands in bad.
type Code struct {
	Plan     revert.Plan       // of the module's own code
	Versions revert.ModulePlan // of dependencies; without any if none is put back
}

// A Composer puts code of good into bad.
type Composer struct {
	Compose func(of []Element) (Code, error)                               // by type-checking; nothing is built
	Build   func(ctx context.Context, code Code) (*compare.Entrant, error) // to be linked in any order
}

// In composes code of a change in bad's revision; what builds need besides is written
// to a directory.
func In(c *change.Change, bad *revision.Revision, dir string) Composer {
	return Composer{
		Compose: func(of []Element) (Code, error) { return compose(c, of) },
		Build:   func(ctx context.Context, code Code) (*compare.Entrant, error) { return build(ctx, bad, dir, code) },
	}
}

// compose takes as little of good as compiles.
func compose(c *change.Change, of []Element) (code Code, err error) {
	var want []change.Suspect
	var versions []change.Module
	for _, e := range of {
		want = append(want, e.Suspects...)
		if e.Module != nil {
			versions = append(versions, *e.Module)
		}
	}
	if len(versions) > 0 {
		if code.Versions, err = revert.ComposeModules(c, versions); err != nil {
			return code, err
		}
	}
	if len(want) == 0 {
		return code, nil
	}
	var errs []error
	for level := revert.Alone; level <= revert.Package; level++ {
		if code.Plan, err = revert.Compose(c, want, level); err == nil {
			return code, nil
		}
		errs = append(errs, fmt.Errorf("%v: %w", level, err))
	}
	return Code{}, errors.Join(errs...)
}

func build(ctx context.Context, bad *revision.Revision, dir string, code Code) (*compare.Entrant, error) {
	b := revision.Build{Files: code.Plan.Files}
	if len(code.Versions.Modules) > 0 {
		dir, err := os.MkdirTemp(dir, "versions-")
		if err != nil {
			return nil, err
		}
		b.ModFile = filepath.Join(dir, "go.mod")
		if err := os.WriteFile(b.ModFile, code.Versions.Mod, 0o644); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, "go.sum"), code.Versions.Sum, 0o644); err != nil {
			return nil, err
		}
	}
	in := func(ctx context.Context, order uint64) (harness.Binary, error) {
		b := b
		b.Layout = order
		return bad.Build(ctx, b)
	}
	bin, err := in(ctx, 0)
	if err != nil {
		return nil, err
	}
	return compare.NewEntrant(bin, in), nil
}
