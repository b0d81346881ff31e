package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

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
	Settings []*Setting        // that are good's
}

// A Composer puts code of good into bad.
type Composer struct {
	// Compose finds by type-checking what of good compiles for a set of elements: the code
	// and which elements are in it. Nothing is built.
	Compose func(all []Element, set []int) (code Code, with []int, err error)
	Build   func(ctx context.Context, code Code) (*compare.Entrant, error) // to be linked in any order
	// Hunks are what a function that differs comes apart into; nil: nothing does.
	Hunks func(s change.Suspect) ([]revert.Hunk, error)
}

// In composes code of a change in bad's revision; what builds need besides is written
// to a directory.
func In(c *change.Change, bad *revision.Revision, dir string) Composer {
	return Composer{
		Compose: func(all []Element, set []int) (Code, []int, error) { return compose(c, all, set) },
		Build:   func(ctx context.Context, code Code) (*compare.Entrant, error) { return build(ctx, bad, dir, code) },
		Hunks:   func(s change.Suspect) ([]revert.Hunk, error) { return revert.Hunks(c, s) },
	}
}

// compose takes as little of good as compiles.
func compose(c *change.Change, all []Element, set []int) (code Code, with []int, err error) {
	var parts []revert.Element // of all elements, with whose they are
	var owner, asked []int
	var versions []change.Module
	for i, e := range all {
		for _, s := range e.Suspects {
			if slices.Contains(set, i) {
				asked = append(asked, len(parts))
			}
			parts, owner = append(parts, revert.Element{Suspect: s, Hunk: e.Hunk}), append(owner, i)
		}
		if e.Module != nil && slices.Contains(set, i) {
			versions = append(versions, *e.Module)
		}
		if e.Setting != nil && slices.Contains(set, i) {
			code.Settings = append(code.Settings, e.Setting)
		}
	}
	if len(versions) > 0 {
		if code.Versions, err = revert.ComposeModules(c, versions); err != nil {
			return code, nil, err
		}
	}
	if len(asked) == 0 {
		return code, nil, nil
	}
	var taken []int
	if code.Plan, taken, err = revert.ComposeSet(c, parts, asked); err != nil {
		return widened(c, all, set, code, err)
	}
	for _, k := range taken {
		if i := owner[k]; !slices.Contains(with, i) {
			with = append(with, i)
		}
	}
	return code, with, nil
}

// widened takes the files or packages of what does not compile with what it needs.
func widened(c *change.Change, all []Element, set []int, code Code, why error) (Code, []int, error) {
	var want []change.Suspect
	for _, i := range set {
		want = append(want, all[i].Suspects...)
	}
	for level := revert.Files; level <= revert.Package; level++ {
		plan, err := revert.Compose(c, want, level)
		if err != nil {
			why = errors.Join(why, fmt.Errorf("%v: %w", level, err))
			continue
		}
		code.Plan = plan
		var with []int
		for i, e := range all {
			if slices.ContainsFunc(e.Suspects, func(s change.Suspect) bool { return plan.Takes(revert.Element{Suspect: s, Hunk: e.Hunk}) }) {
				with = append(with, i)
			}
		}
		return code, with, nil
	}
	return code, nil, why
}

func build(ctx context.Context, bad *revision.Revision, dir string, code Code) (*compare.Entrant, error) {
	b := revision.Build{Files: code.Plan.Files}
	for _, s := range code.Settings {
		b.PGO = cmp.Or(s.PGO, b.PGO)
		if s.Toolchain != nil {
			var err error
			if bad, err = bad.By(s.Toolchain); err != nil {
				return nil, err
			}
		}
	}
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
