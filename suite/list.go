package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
)

// listed is what "go list" says of one package.
type listed struct {
	ImportPath, Dir, Name, ForTest string
	Standard                       bool
	Module                         *module
	Deps                           []string

	GoFiles, CgoFiles, SFiles, TestGoFiles, XTestGoFiles                         []string
	CFiles, CXXFiles, MFiles, HFiles, FFiles, SwigFiles, SwigCXXFiles, SysoFiles []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles                                  []string

	deps map[string]*listed // all packages of the same list, by import path
}

type module struct {
	Path, Version, GoVersion string
	Main                     bool
	Replace                  *module
}

const listFields = "-json=ImportPath,Dir,Name,ForTest,Standard,Module,Deps,GoFiles,CgoFiles,SFiles,TestGoFiles,XTestGoFiles," +
	"CFiles,CXXFiles,MFiles,HFiles,FFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles"

// list finds the packages that have benchmarks, and which.
func (r *run) list(ctx context.Context) error {
	r.progress("listing packages")
	args := slices.Concat([]string{"-e", "-deps", "-test", listFields, "--"}, r.opts.Packages)
	for _, h := range r.homes {
		lists, err := change.Both(h.sides, func(rev *revision.Revision) (map[string]*listed, error) {
			if rev == nil {
				return nil, nil
			}
			out, err := rev.List(ctx, args...)
			if err != nil {
				return nil, err
			}
			return packagesOf(out)
		})
		if err != nil {
			if err := r.unless(ctx, h.dir, err); err != nil {
				return err
			}
			continue
		}
		for _, p := range pairUp(lists.Good, lists.Bad) {
			if err := r.addPackage(p); err != nil {
				return err
			}
		}
	}
	if len(r.packages) == 0 && len(r.report.Benchmarks) == 0 && r.opts.benchmarks() {
		hint := ""
		if below := modulesBelow(r.set.Pair().Bad.PackageDir); len(r.opts.Modules) == 0 && slices.ContainsFunc(below, func(dir string) bool { return dir != "." }) {
			hint = fmt.Sprintf("; %s is another module: name it by --module, or all by --module ./...", below[len(below)-1])
		}
		return fmt.Errorf("no benchmarks: no package of %s has a function BenchmarkX(*testing.B) in a _test.go file%s", strings.Join(r.opts.Packages, " "), hint)
	}
	return nil
}

// unless takes a module up as what failed, for the error of listing it, and has the job go
// on with the others. Without --module it is all that there is.
func (r *run) unless(ctx context.Context, dir string, err error) error {
	if ctx.Err() != nil || len(r.opts.Modules) == 0 {
		return err
	}
	dir = r.inRepository(dir)
	r.report.Benchmarks = append(r.report.Benchmarks, report.Benchmark{
		Package: dir, Dir: dir, Name: "(module)", Position: path.Join(dir, "go.mod") + ":1:1", Selected: "named by --module",
		Outcome: report.IsFailed, Reason: err.Error(),
	})
	return nil
}

// packagesOf reads what "go list -json" printed.
func packagesOf(out []byte) (map[string]*listed, error) {
	all := make(map[string]*listed)
	d := json.NewDecoder(bytes.NewReader(out))
	for {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading the list of packages: %w", err)
		}
		p.deps = all
		all[p.ImportPath] = &p
	}
}

// pairUp gives the packages with test files, by import path, that either side has.
func pairUp(good, bad map[string]*listed) []*pkg {
	found := make(map[string]*pkg)
	for _, side := range []map[string]*listed{good, bad} {
		for path, l := range side {
			if len(l.TestGoFiles)+len(l.XTestGoFiles) > 0 && l.ForTest == "" && !l.Standard && side[path+".test"] != nil {
				found[path] = &pkg{path: path, good: good[path], bad: bad[path]}
			}
		}
	}
	var list []*pkg
	for _, p := range found {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	return list
}

// addPackage finds the package's benchmarks. Those of one revision only are
// listed at once.
func (r *run) addPackage(p *pkg) error {
	trees := r.set.Pair()
	goodTop, badTop := trees.Good.PackageDir, trees.Bad.PackageDir
	good, err := declared(p.good, goodTop, harness.Bench)
	if err != nil {
		return err
	}
	bad, err := declared(p.bad, badTop, harness.Bench)
	if err != nil {
		return err
	}
	from, top := p.bad, badTop
	if from == nil {
		from, top = p.good, goodTop
	}
	rel, err := filepath.Rel(top, from.Dir)
	if err != nil {
		return err
	}
	p.dir = filepath.ToSlash(rel)
	for _, name := range sortedKeys(bad) {
		switch {
		case !r.opts.Bench.MayMatch(name):
			p.listOnly(name, r.position(bad[name]), report.IsUnselected, notNamed, r)
		case good[name] == "":
			p.listOnly(name, r.position(bad[name]), report.IsNew, "the base does not have it: pinpoint find carries it there", r)
		default:
			p.functions = append(p.functions, &function{name: name, position: r.position(bad[name])})
		}
	}
	for _, name := range sortedKeys(good) {
		if bad[name] == "" && r.opts.Bench.MayMatch(name) {
			p.listOnly(name, "", report.IsRemoved, "the head no longer has it", r)
		}
	}
	if len(p.functions)+len(p.rest) > 0 {
		r.packages = append(r.packages, p)
	}
	return nil
}

func (r *run) position(below string) string { return path.Join(r.repo.Prefix(), below) }

// declared finds the benchmark or test functions of a package: their positions,
// relative to top, by name. A file that does not parse is the compiler's to
// complain about.
func declared(l *listed, top string, kind harness.Kind) (map[string]string, error) {
	found := make(map[string]string)
	if l == nil {
		return found, nil
	}
	fset := token.NewFileSet()
	for _, name := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
		file := filepath.Join(l.Dir, name)
		f, _ := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if f == nil {
			continue
		}
		rel, err := filepath.Rel(top, file)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if k, ok := harness.KindOf(fn); ok && k == kind {
				p := fset.PositionFor(fn.Name.Pos(), false)
				found[fn.Name.Name] = filepath.ToSlash(rel) + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
			}
		}
	}
	return found, nil
}

// notNamed is why a benchmark is not compared that --bench leaves out.
const notNamed = "not named by --bench"

// modulesBelow lists the directories below one of a private tree that have a go.mod, where
// the go command looks for packages.
func modulesBelow(top string) []string {
	var dirs []string
	filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return nil
		case d.IsDir() && name != top && (base == "vendor" || base == "testdata" || base[0] == '_' || base[0] == '.'):
			return fs.SkipDir
		case base == "go.mod" && d.Type().IsRegular():
			if rel, err := filepath.Rel(top, filepath.Dir(name)); err == nil {
				dirs = append(dirs, filepath.ToSlash(rel))
			}
		}
		return nil
	})
	return dirs
}
