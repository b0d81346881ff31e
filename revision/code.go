package revision

import (
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
)

// code is a package of a revision with what lies over it, and what was made of it. Sets
// that ask for the same share it.
type code struct {
	spec  Spec
	tree  backup.Tree
	dir   string            // the package's; go runs here
	added map[string][]byte // drivers and carried files, by name in dir
	gocmd *harness.Go
	out   string // a directory of its own; "" where nothing is built
	work  string // a go.work in place of the tree's

	listing harness.Listing
	gcflags once[[]string] // that all builds have
	program once[*callgraph.Program]
	deps    *dependencies

	mu    sync.Mutex // guards plain
	plain map[plain]*once[harness.Binary]
}

// newCode makes a directory for what is made of a package, below temp.
func newCode(spec Spec, tree backup.Tree, dir string, gocmd *harness.Go, added map[string][]byte, temp string) (*code, error) {
	out, err := os.MkdirTemp(temp, "code-")
	if err != nil {
		return nil, err
	}
	c := &code{spec: spec, tree: tree, dir: dir, added: added, gocmd: gocmd, out: out}
	c.deps = newDependencies(&c.program, gocmd, c.side(), spec.CacheDir, out)
	return c, nil
}

// inPlace is a package where it lies on disk, which is only read.
func inPlace(spec Spec, dir string, gocmd *harness.Go) *code {
	c := &code{spec: spec, dir: dir, gocmd: gocmd}
	// As the user's own go command has it.
	c.tree.Dir = filepath.VolumeName(dir) + string(filepath.Separator)
	if work := os.Getenv("GOWORK"); work != "off" {
		c.work = work
	}
	c.deps = newDependencies(&c.program, gocmd, c.side(), spec.CacheDir, "")
	return c
}

// side is the package as the go command sees it, with nothing over it.
func (c *code) side() harness.Side {
	return harness.Side{
		Dir: c.dir, Top: c.tree.Dir, Package: ".", Tags: c.spec.Tags, PGO: c.spec.PGO, WorkFile: c.work, Listing: &c.listing,
		Hidden: append(slices.Clip(c.tree.Origin), c.spec.CacheDir),
	}
}

// laid are the files that were added, by absolute path.
func (c *code) laid() map[string][]byte {
	files := make(map[string][]byte)
	for name, content := range c.added {
		files[filepath.Join(c.dir, name)] = content
	}
	return files
}
