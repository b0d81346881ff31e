package harness

import (
	"context"
	"os"
	"os/user"
	"slices"
	"sync"

	"github.com/pinpoint-go/pinpoint/internal/sandbox"
)

type sandboxKey struct{}

// Sandboxed has every process that is run with the context run in a sandbox, good's and
// bad's alike: see [sandbox.Possible] for whether there is one. It sees no network, no
// other process, no home, and of what is writable its own tree and temporary directory.
// The time that it takes to get in, 5 to 10 ms, is not the process's.
func Sandboxed(ctx context.Context) context.Context {
	return context.WithValue(ctx, sandboxKey{}, true)
}

func sandboxed(ctx context.Context) bool { return ctx.Value(sandboxKey{}) != nil }

// viewOf is what a process sees in a sandbox, nil where it runs in none.
func viewOf(ctx context.Context, r *room, b Binary, w Workload) *sandbox.View {
	if !sandboxed(ctx) {
		return nil
	}
	return &sandbox.View{
		Hidden:   slices.Concat(homes(), []string{os.TempDir()}, b.Hidden),
		Readable: []string{b.Root, b.Cache, b.Path},
		Writable: append([]string{b.Tree, r.own.Path}, w.Writes...),
	}
}

// homes are the user's, by the environment and by the system.
var homes = sync.OnceValue(func() []string {
	var dirs []string
	if dir, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, dir)
	}
	if u, err := user.Current(); err == nil && u.HomeDir != "" {
		dirs = append(dirs, u.HomeDir)
	}
	return dirs
})
