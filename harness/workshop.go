package harness

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Workshop is g as it builds here: with a GOROOT that can be overlaid, a private copy
// below cache where g's own can't, and within out.
func (g *Go) Workshop(ctx context.Context, cache, out string) (*Go, error) {
	own := *g
	if !g.Overlayable() {
		private, err := g.PrivateRoot(ctx, cache)
		if err != nil {
			return nil, err
		}
		own = *private
	}
	within, err := own.Within(out)
	if err != nil {
		return nil, err
	}
	return within, within.link(filepath.Join(out, "go", "named"))
}

// Within is g with what the go command leaves when it is killed below out, in a directory
// that is made: also where it only lists packages, it compiles their export data.
func (g *Go) Within(out string) (*Go, error) {
	own, work := *g, filepath.Join(out, "go")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, fmt.Errorf("making a directory for builds: %w", err)
	}
	own.Env = append(slices.Clip(own.Env), "GOTMPDIR="+work)
	return &own, nil
}

// link puts Cmd into a directory by the name of its toolchain, unless PATH leads to it. One
// under development has no name to switch by.
func (g *Go) link(dir string) error {
	if !version.IsValid(g.Version) {
		return nil
	}
	if onPath, err := exec.LookPath("go"); err == nil {
		if onPath, err = filepath.EvalSymlinks(onPath); err == nil && onPath == g.Cmd {
			return nil
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making a directory for %s: %w", g.Version, err)
	}
	g.byName = dir
	if err := os.Symlink(g.Cmd, filepath.Join(dir, g.Version)); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("linking %s: %w", g.Version, err)
	}
	return nil
}
