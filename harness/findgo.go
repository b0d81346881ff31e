package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// FindGo finds the toolchain that the go command chooses in a directory of the user's:
// the go.mod or go.work that governs it has a say. The error says, before anything is
// built, what of the go command's settings nothing can be measured with.
func FindGo(ctx context.Context, dir string) (*Go, error) {
	return findGo(ctx, dir, os.Environ())
}

// FindGo is FindGo in the side's tree. A go.work above that has no say.
func (s Side) FindGo(ctx context.Context) (*Go, error) {
	return findGo(ctx, s.Dir, append(os.Environ(), "GOWORK="+s.workspace()))
}

// OwnToolchain stands for the toolchain that a tree asks for by itself.
const OwnToolchain = "each"

// FindToolchain finds a toolchain by its name, such as go1.25.4, whatever the side's tree
// asks for. One that is not on this machine is fetched, by the go command and from where
// it fetches modules; fetching is told so before.
func (s Side) FindToolchain(ctx context.Context, name string, fetching func(name string)) (*Go, error) {
	if name == OwnToolchain {
		return s.FindGo(ctx)
	}
	env := append(os.Environ(), "GOWORK="+s.workspace(), "GOTOOLCHAIN="+name)
	g, err := findGo(ctx, s.Dir, append(slices.Clip(env), "GOPROXY=off"))
	if err != nil && ctx.Err() == nil {
		fetching(name)
		g, err = findGo(ctx, s.Dir, env)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("toolchain %s: %w", name, err)
	case version.IsValid(name) && g.Version != name:
		return nil, fmt.Errorf("toolchain %s: the go command gives %s", name, g.Version)
	}
	return g, nil
}

func findGo(ctx context.Context, dir string, env []string) (*Go, error) {
	set, err := askGo(ctx, dir, env)
	if err != nil {
		return nil, fmt.Errorf("asking for the toolchain of %s: %w", dir, err)
	}
	return &Go{
		Cmd: filepath.Join(set.GOROOT, "bin", "go"), Root: set.GOROOT,
		Version: set.GOVERSION, ModCache: set.GOMODCACHE, Flags: set.keptFlags(),
		Env: set.environment(os.Environ()),
	}, set.refusal()
}

func askGo(ctx context.Context, dir string, env []string) (goSettings, error) {
	var s goSettings
	cmd := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, settingNames...)...)
	cmd.Dir = dir
	cmd.Env = append(slices.Clip(env), "PWD="+dir)
	out, err := cmd.Output()
	if err != nil {
		return s, withStderr(ctx, err)
	}
	return s, json.Unmarshal(out, &s)
}

// PickToolchain finds the one toolchain that builds all sides: the newest of those that
// the go command chooses in their trees. The warning is not empty when they differ, since
// some side then runs on what it never ran on.
func PickToolchain(ctx context.Context, sides ...Side) (g *Go, warning string, err error) {
	found, errs := make([]*Go, len(sides)), make([]error, len(sides))
	var wg sync.WaitGroup
	for i, s := range sides {
		wg.Go(func() { found[i], errs[i] = s.FindGo(ctx) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, "", err
		}
	}
	g, warning = pick(sides, found)
	return g, warning, nil
}

// pick takes the last of the newest toolchains.
func pick(sides []Side, found []*Go) (chosen *Go, warning string) {
	chosen = found[0]
	differ := false
	var asked []string
	for i, g := range found {
		if version.Compare(chosen.Version, g.Version) <= 0 {
			chosen = g
		}
		differ = differ || g.Version != found[0].Version
		asked = append(asked, sides[i].Label+" asks for "+g.Version)
	}
	if !differ {
		return chosen, ""
	}
	return chosen, fmt.Sprintf("%s: all are built with %s, so a difference of the toolchains is not seen", strings.Join(asked, ", "), chosen.Version)
}

// refuseFlagsOf refuses the flags of GOFLAGS that the side has its own of. The
// go command would drop the user's without a word.
func (g *Go) refuseFlagsOf(s Side) error {
	for name, own := range map[string]bool{"-modfile": s.ModFile != "", "-pgo": s.PGO != "", "-gcflags": len(s.GCFlags) > 0, "-ldflags": s.Layout != 0} {
		if own && g.hasFlag(name) {
			return fmt.Errorf("reading GOFLAGS: %s can't be combined with the one that pinpoint makes; unset it", name)
		}
	}
	return nil
}
