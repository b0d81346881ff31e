package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Workshop is g as it builds here: with a GOROOT that can be overlaid, a private copy
// below cache where g's own can't, and with what the go command leaves when it is
// killed below out, in a directory that is made.
func (g *Go) Workshop(ctx context.Context, cache, out string) (*Go, error) {
	own := *g
	if !g.Overlayable() {
		private, err := g.PrivateRoot(ctx, cache)
		if err != nil {
			return nil, err
		}
		own = *private
	}
	work := filepath.Join(out, "go")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, fmt.Errorf("making a directory for builds: %w", err)
	}
	own.Env = append(slices.Clip(own.Env), "GOTMPDIR="+work)
	return &own, nil
}
