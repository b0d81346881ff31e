package suite

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/report"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// choose decides for each benchmark of the package whether it is compared, and
// says why.
func (r *run) choose(ctx context.Context, p *pkg) error {
	if len(p.functions) == 0 {
		return nil
	}
	if !r.opts.Changed {
		p.chooseAll(map[bool]string{true: "all are compared", false: "named by --bench"}[r.opts.Bench == nil])
		return nil
	}
	r.progress("looking for what changed below %s", p.path)
	diff, err := p.difference(r.pair.GoodTree.Dir, r.pair.BadTree.Dir)
	switch {
	case err != nil:
		return err
	case diff.all != "":
		p.chooseAll(diff.all)
	case len(diff.code) > 0:
		if err := r.chooseByReach(ctx, p); err != nil {
			return err
		}
	}
	p.dropUnchosen(r, len(diff.code) > 0)
	return nil
}

func (p *pkg) chooseAll(why string) {
	for _, f := range p.functions {
		f.why = why
	}
}

// listChosen lists what would be compared.
func (r *run) listChosen() {
	for _, p := range r.packages {
		for _, f := range p.functions {
			p.listOnly(f.name, f.position, report.IsChosen, f.why, r)
		}
	}
}

// dropUnchosen lists what is not compared.
func (p *pkg) dropUnchosen(r *run, loaded bool) {
	not := "nothing its test binary is made of changed"
	if loaded {
		not = "nothing it reaches changed"
	}
	kept := p.functions[:0]
	for _, f := range p.functions {
		if f.why != "" {
			kept = append(kept, f)
			continue
		}
		p.listOnly(f.name, f.position, report.IsUnselected, not, r)
	}
	p.functions = kept
}

// sources are what a test binary is made of and may read: contents by name.
// Code is what ReachPrint knows how to tell apart; the others concern all
// benchmarks.
type sources struct{ code, others map[string]string }

// sourcesOf lists the files below top that the package's test binary is made of,
// the versions of its modules, and the files that lie beside its tests.
func sourcesOf(l *listed, top string) (sources, error) {
	s := sources{make(map[string]string), make(map[string]string)}
	add := func(to map[string]string, dir string, lists ...[]string) error {
		for _, name := range slices.Concat(lists...) {
			file := name
			if !filepath.IsAbs(file) {
				file = filepath.Join(dir, name)
			}
			rel, err := filepath.Rel(top, file)
			if err != nil || !filepath.IsLocal(rel) {
				continue // made by the go command
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			to[filepath.ToSlash(rel)] = string(hash(data))
		}
		return nil
	}
	paths := l.deps[l.ImportPath+".test"].Deps
	for _, path := range append(slices.Clone(paths), l.ImportPath) {
		d := l.deps[path]
		if d == nil || d.Standard {
			continue
		}
		if rel, err := filepath.Rel(top, d.Dir); err != nil || !filepath.IsLocal(rel) {
			m := d.Module
			if m != nil && m.Replace != nil {
				m = m.Replace
			}
			if m != nil {
				s.code["module "+m.Path] = m.Version
			}
			continue
		}
		code := s.code
		if m := d.Module; m != nil {
			s.others["the language version of "+m.Path] = m.GoVersion
			if !m.Main && (m.Replace == nil || m.Replace.Version != "") {
				code = s.others // vendored: not loaded, its version stands for it
			}
		}
		err := errors.Join(
			add(code, d.Dir, d.GoFiles, d.CgoFiles, d.SFiles),
			add(s.others, d.Dir, d.CFiles, d.CXXFiles, d.MFiles, d.HFiles, d.FFiles, d.SwigFiles, d.SwigCXXFiles, d.SysoFiles, d.EmbedFiles),
		)
		if err != nil {
			return s, err
		}
	}
	data, err := dataOf(l)
	return s, errors.Join(err,
		add(s.code, l.Dir, l.TestGoFiles, l.XTestGoFiles),
		add(s.others, l.Dir, l.TestEmbedFiles, l.XTestEmbedFiles, data))
}

func hash(data []byte) []byte { h := sha256.Sum256(data); return h[:] }

// dataOf lists what a package's tests may read: all of testdata, and of what else
// lies in its directory and is no Go, files and directories that its code names.
func dataOf(l *listed) ([]string, error) {
	var code []byte
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles, l.TestGoFiles, l.XTestGoFiles) {
		data, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil {
			return nil, err
		}
		code = append(code, data...)
	}
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if e.Name() != "testdata" && !names(code, e) {
			continue
		}
		err := filepath.WalkDir(filepath.Join(l.Dir, e.Name()), func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// names says whether code may mean a file or directory beside it: there is its
// name, or a pattern for all of its kind.
func names(code []byte, e fs.DirEntry) bool {
	name, ext := e.Name(), filepath.Ext(e.Name())
	if e.IsDir() {
		return bytes.Contains(code, []byte(`"`+name+`"`)) || bytes.Contains(code, []byte(`"`+name+`/`)) || bytes.Contains(code, []byte(`"./`+name))
	}
	return ext != ".go" && (bytes.Contains(code, []byte(name)) || ext != "" && bytes.Contains(code, []byte("*"+ext)))
}

// difference is what the test binaries of two revisions are made of differently.
type difference struct {
	all  string   // why every benchmark is concerned; "" if only some may be
	code []string // names that differ
}

func (p *pkg) difference(goodTop, badTop string) (difference, error) {
	good, err := sourcesOf(p.good, goodTop)
	if err != nil {
		return difference{}, err
	}
	bad, err := sourcesOf(p.bad, badTop)
	if err != nil {
		return difference{}, err
	}
	d := difference{code: differing(good.code, bad.code)}
	if others := differing(good.others, bad.others); len(others) > 0 {
		d.all = list(others) + " changed"
	}
	return d, nil
}

// differing lists the keys whose values are not the same in both, or that only
// one has.
func differing(a, b map[string]string) []string {
	names := make(map[string]bool)
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			names[k] = true
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			names[k] = true
		}
	}
	return sortedKeys(names)
}

// list names the first of several.
func list(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
}

// focusing is how long a package's benchmarks may be looked at one by one.
const focusing = 30 * time.Second

// chooseByReach asks the code of both revisions for each of the benchmarks.
func (r *run) chooseByReach(ctx context.Context, p *pkg) (err error) {
	if p.pair, err = r.openPackage(ctx, p.dir); err != nil {
		return err
	}
	good, bad, errGood, errBad := p.pair.Programs(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := cmp.Or(errBad, errGood); err != nil {
		// The build will say so, too, and in full.
		p.chooseAll("its package changed and does not load, so what it reaches is not known")
		return nil
	}
	about, err := initialising(good, bad)
	if err != nil || about != "" {
		p.chooseAll(about)
		return err
	}
	d := newDiffer(good, bad)
	for _, focused := range []bool{false, true} {
		start := time.Now()
		for _, f := range p.functions {
			if focused && (f.why == "" || time.Since(start) > focusing) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if f.why, err = d.why(f.name, shortName(p.path+"."+f.name), focused); err != nil {
				return err
			}
		}
	}
	return nil
}

// differ tells what benchmarks of one package reach that is not the same in both
// revisions. What it finds with a focus on the benchmark is what that one can run;
// without, what anything in the test binary may make it run, which is more and
// takes less time.
type differ struct {
	sides [2]*callgraph.Program
	print [2]map[string]string // of functions, by name
}

func newDiffer(good, bad *callgraph.Program) *differ {
	return &differ{[2]*callgraph.Program{good, bad}, [2]map[string]string{make(map[string]string), make(map[string]string)}}
}

// why says why a benchmark function is to be compared; "" if nothing it reaches
// differs.
func (d *differ) why(name, self string, focused bool) (string, error) {
	var functions [2]*callgraph.Function
	var reached [2]map[string]string
	var errs [2]error
	d.each(func(side int) {
		prog := d.sides[side]
		if functions[side], errs[side] = prog.Func(name); errs[side] != nil {
			return
		}
		prog.Focus(nil)
		if focused {
			prog.Focus(functions[side])
		}
		reached[side] = make(map[string]string)
		for _, fn := range prog.Reach(functions[side]) {
			print, ok := d.print[side][fn.Name]
			if !ok {
				print = prog.FingerprintDeep(fn)
				d.print[side][fn.Name] = print
			}
			reached[side][fn.Name] = print
		}
	})
	if err := errors.Join(errs[:]...); err != nil {
		return "", fmt.Errorf("finding what %s reaches: %w", name, err)
	}
	changed := differing(reached[0], reached[1])
	if len(changed) == 0 {
		// There is more to it than functions, and it takes longer to see.
		d.each(func(side int) { reached[side] = d.sides[side].ReachPrint(functions[side]) })
		changed = differing(reached[0], reached[1])
	}
	if len(changed) == 0 {
		return "", nil
	}
	for i, name := range changed {
		changed[i] = shortName(name)
	}
	if slices.Contains(changed, self) {
		return "it changed itself", nil
	}
	return "reaches " + list(changed) + ", which changed", nil
}

// each does the same for both programs at the same time.
func (d *differ) each(do func(side int)) {
	var wg sync.WaitGroup
	for side := range d.sides {
		wg.Go(func() { do(side) })
	}
	wg.Wait()
}

// shortName is a function's name without the directories of its import path.
func shortName(name string) string {
	if m, ok := strings.CutPrefix(name, "module "); ok {
		return "module " + m
	}
	return path.Base(name)
}

// initialising says whether what runs before any benchmark differs: TestMain, the
// init functions and what these call.
func initialising(good, bad *callgraph.Program) (string, error) {
	var prints [2]map[string]string
	for i, prog := range []*callgraph.Program{good, bad} {
		prints[i] = make(map[string]string)
		for _, name := range initialisers(prog) {
			if fn, err := prog.Func(name); err == nil {
				addCalled(prog, fn, prints[i])
			}
		}
	}
	changed := differing(prints[0], prints[1])
	if len(changed) == 0 {
		return "", nil
	}
	for i, name := range changed {
		changed[i] = shortName(name)
	}
	return "what runs before benchmarks changed: " + list(changed), nil
}

// initialisers names TestMain and the init functions of all loaded packages, as
// the runtime numbers them.
func initialisers(prog *callgraph.Program) []string {
	root, _ := prog.Package()
	var names []string
	for _, p := range prog.Packages() {
		n := 0
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				fn, ok := d.(*ast.FuncDecl)
				switch {
				case !ok || fn.Recv != nil:
				case fn.Name.Name == "init":
					names = append(names, fmt.Sprintf("%s.init.%d", p.PkgPath, n))
					n++
				case fn.Name.Name == "TestMain" && (p.PkgPath == root || p.PkgPath == root+"_test"):
					names = append(names, p.PkgPath+".TestMain")
				}
			}
		}
	}
	return names
}

// addCalled adds the prints of fn and of what it surely calls. What it only
// mentions does not run before the benchmark.
func addCalled(prog *callgraph.Program, fn *callgraph.Function, prints map[string]string) {
	if _, done := prints[fn.Name]; done {
		return
	}
	prints[fn.Name] = prog.FingerprintDeep(fn)
	layer, err := prog.Layer(fn)
	if err != nil {
		return // no source, so its version stands for what it calls
	}
	for _, c := range layer.Calls {
		if callee := c.Callee(); callee != nil {
			addCalled(prog, callee, prints)
		}
	}
}
