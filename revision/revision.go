package revision

import (
	"context"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/trace"
)

// A Revision is one version of the code, with its package of the workload.
type Revision struct {
	backup.Tree
	Label      string // good, bad, its name or a short hash
	PackageDir string // in the tree; the go command runs here

	toolchain string // that was named for it
	code      *code
	set       *work
}

// side is the revision as the go command sees it in every build.
func (r *Revision) side(ctx context.Context) (harness.Side, error) {
	side := r.code.side()
	side.Label = fileName(r.Label)
	if r.code.spec.Unbuilt {
		return side, nil
	}
	flags, err := r.code.gcflags.get(func() ([]string, error) {
		out, err := r.List(ctx, listLanguages...)
		return raised(out), err
	})
	side.GCFlags = flags
	return side, err
}

// List runs "go list" with these arguments in the package's directory, with the build tags
// of the spec.
func (r *Revision) List(ctx context.Context, args ...string) ([]byte, error) {
	defer trace.Begin(ctx, trace.Command, "go list "+r.Label)()
	all := []string{"list"}
	if tags := r.code.spec.Tags; tags != "" {
		all = append(all, "-tags="+tags)
	}
	side := r.code.side()
	cmd := exec.CommandContext(ctx, r.code.gocmd.Cmd, append(all, args...)...)
	cmd.Dir = side.Dir
	cmd.Env = side.Env(r.code.gocmd)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: listing the packages of %s: %w\n%s", r.Label, r.code.spec.Package, err, strings.TrimSpace(stderr.String()))
	}
	return out, err
}

// Load loads the package's code, once, with what is laid over it in its plain build: then
// what the go command compiles here serves there.
func (r *Revision) Load(ctx context.Context) (*callgraph.Program, error) {
	return r.loadTelling(ctx, nil)
}

// loadTelling is Load, which tells when what the package links besides its own module is
// compiled.
func (r *Revision) loadTelling(ctx context.Context, compiled func()) (*callgraph.Program, error) {
	return r.code.program.get(func() (*callgraph.Program, error) { return r.load(ctx, compiled) })
}

func (r *Revision) load(ctx context.Context, compiled func()) (*callgraph.Program, error) {
	side, err := r.side(ctx)
	if err != nil {
		return nil, err
	}
	overlay, err := r.overlayToLoad()
	if err != nil {
		return nil, err
	}
	defer trace.Begin(ctx, trace.Load, r.Label)()
	prog, err := callgraph.Load(ctx, callgraph.Config{
		Dir:        side.Dir,
		Package:    side.Package,
		Tests:      r.code.spec.Workload.Kind != harness.Main,
		BuildFlags: side.BuildFlags(overlay),
		Env:        side.EnvByPath(r.code.gocmd),
		Compiled:   compiled,
	})
	if err != nil {
		return nil, fmt.Errorf("%s does not compile:\n%w", r.Label, err)
	}
	return prog, nil
}

// overlayToLoad writes what is laid over the revision while it is loaded, and gives the
// name of the overlay's file, "" if that is nothing.
func (r *Revision) overlayToLoad() (string, error) {
	overlay := instrument.Overlay{Files: r.code.laid()}
	if !r.code.spec.Unbuilt {
		if err := overlay.AddMeter(r.code.gocmd.Root, r.code.spec.Meter); err != nil {
			return "", err
		}
	}
	if len(overlay.Files) == 0 {
		return "", nil
	}
	dir, err := os.MkdirTemp(r.code.out, "load-")
	if err != nil {
		return "", err
	}
	return overlay.Write(dir)
}

// Open loads the source of a function's package, which is a dependency's or the standard
// library's. It gives why the function has no body to look into, "" if it has one now.
// The revision must be loaded.
func (r *Revision) Open(ctx context.Context, fn *callgraph.Function) (reason string, err error) {
	if fn.Node == nil {
		if reason, err = r.OpenPackage(ctx, fn.Pkg); reason != "" || err != nil {
			return reason, err
		}
	}
	if !fn.HasBody() {
		return "no Go body", nil
	}
	return "", nil
}

// OpenPackage loads the source of a package that the workload links. It gives why that
// can't be, "" if it is loaded now.
func (r *Revision) OpenPackage(ctx context.Context, pkg *packages.Package) (reason string, err error) {
	reason, err = r.code.deps.open(ctx, pkg)
	if err != nil {
		err = fmt.Errorf("%s: opening %s: %w", r.Label, pkg.PkgPath, err)
	}
	return reason, err
}

// Closed says whether a package's source was asked for and can't be looked into.
func (r *Revision) Closed(pkg *packages.Package) bool { return r.code.deps.closed[pkg.PkgPath] != "" }

// Versions are the versions of the modules that the package links, by path. The revision
// must be loaded.
func (r *Revision) Versions() map[string]string {
	list := make(map[string]string)
	packages.Visit((*r.code.program.known()).Packages(), nil, func(pkg *packages.Package) {
		if m := pkg.Module; m != nil {
			list[m.Path] = m.Version
			if m.Replace != nil {
				list[m.Path] = m.Replace.Path + "@" + m.Replace.Version
			}
		}
	})
	return list
}

// Position shows a place as file:line:col: relative to the tree, or with the module or
// standard library that it is of.
func (r *Revision) Position(pos token.Position) string {
	if !pos.IsValid() {
		return ""
	}
	name, ok := r.InTree(pos.Filename)
	if !ok {
		name = r.shown(pos.Filename)
	}
	return filepath.ToSlash(name) + ":" + strconv.Itoa(pos.Line) + ":" + strconv.Itoa(pos.Column)
}

// InTree is the slash path of a file relative to the tree, if it lies there.
func (r *Revision) InTree(name string) (rel string, ok bool) {
	rel, ok = strings.CutPrefix(name, r.Dir+string(filepath.Separator))
	return filepath.ToSlash(rel), ok
}

// shown gives the name of a file in the module cache or the standard library
// as people know it, and any other as it is.
func (r *Revision) shown(name string) string {
	gocmd := r.code.gocmd
	if rel, err := filepath.Rel(filepath.Join(gocmd.Root, "src"), name); err == nil && filepath.IsLocal(rel) {
		return "std@" + gocmd.Version + "/" + filepath.ToSlash(rel)
	}
	return r.code.deps.copies.Shown(name)
}

// Source is the file of a function, for rewriting. The revision must be loaded.
func (r *Revision) Source(fn *callgraph.Function) (instrument.File, error) {
	prog := *r.code.program.known()
	if prog.Contents(fn.Filename()) == nil {
		return instrument.File{}, fmt.Errorf("%s was not loaded", fn.Filename())
	}
	return instrument.FileOf(fn.Pkg, fn.File, prog.Contents), nil
}

// Go is the toolchain that builds the revision.
func (r *Revision) Go() *harness.Go { return r.code.gocmd }

// Cached reports whether the package lies in the module cache, where the go command takes
// no overlay.
func (r *Revision) Cached() bool { return r.code.deps.copies.Cached(r.PackageDir) }

// Added are the files that lie over the package and are not in the tree, by name in its
// directory: a driver, or those of a benchmark that the revision lacks.
func (r *Revision) Added() map[string][]byte { return r.code.added }
