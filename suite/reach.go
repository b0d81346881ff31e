package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// focusing is how long a package's benchmarks may be looked at one by one, and choosing the
// share of the budget after which all are taken that may reach a change: to count what
// they run takes less.
const (
	focusing = 30 * time.Second
	choosing = 0.2
)

// unasked is why a benchmark is compared of which there was no time to see what it reaches.
const unasked = "its package changed, and there was no time to see what it reaches"

// chooseByReach asks the code of both revisions for each of the benchmarks.
func (r *run) chooseByReach(ctx context.Context, p *pkg) (err error) {
	until := r.start.Add(time.Duration(choosing * float64(r.opts.Hunt.Budget)))
	if time.Now().After(until) {
		p.chooseAll(unasked)
		return nil
	}
	if err = r.openPackage(ctx, p); err != nil {
		return err
	}
	defer p.set.Unload()
	sides := p.set.Pair()
	good, errGood := sides.Good.Load(ctx)
	bad, errBad := sides.Bad.Load(ctx) // which finds compiled what both link
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
			late := time.Now().After(until)
			if focused && (f.why == "" || late || time.Since(start) > focusing) {
				continue
			}
			if late {
				f.why = unasked
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
