package hunt

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pinpoint-go/pinpoint/harness"
)

// placeWorkload sees to it that both revisions have the workload: the user's
// driver goes into both, and a benchmark or test that only one has is carried
// to the other with its file.
func (h *hunt) placeWorkload() error {
	h.good.added, h.bad.added = make(map[string][]byte), make(map[string][]byte)
	w := h.opts.Workload
	if w.Kind == harness.Main {
		if h.opts.Driver != "" {
			return fmt.Errorf("--driver places a test file and goes with --bench or --test, not with --main")
		}
		return nil
	}
	if h.opts.Driver != "" {
		return h.placeDriver()
	}
	prefix := prefixes[w.Kind]
	good, err := declaring(h.good.dir, prefix, w.Pattern)
	if err != nil {
		return err
	}
	bad, err := declaring(h.bad.dir, prefix, w.Pattern)
	if err != nil {
		return err
	}
	switch {
	case len(good) == 0 && len(bad) == 0 && h.opts.carry != nil:
		for _, s := range []*side{h.good, h.bad} {
			for name, content := range h.opts.carry {
				s.added[filepath.Join(s.dir, name)] = content
			}
		}
	case len(good) == 0 && len(bad) == 0:
		return fmt.Errorf("no %s in %s matches %q, in neither revision: name one that exists or give a file with --driver",
			strings.ToLower(prefix), h.opts.Package, w.Pattern)
	case len(good) == 0:
		h.report.Workload.Carried, h.report.Workload.CarriedFiles = "good", bad
		return carry(h.bad, h.good, bad)
	case len(bad) == 0:
		h.report.Workload.Carried, h.report.Workload.CarriedFiles = "bad", good
		return carry(h.good, h.bad, good)
	}
	return nil
}

// prefixes are what the names of workloads begin with.
var prefixes = map[harness.Kind]string{harness.Bench: "Benchmark", harness.Test: "Test"}

// placeDriver lays the user's driver over both trees, beneath its own name.
func (h *hunt) placeDriver() error {
	content, err := harness.ReadDriver(h.opts.Driver)
	if err != nil {
		return err
	}
	for _, s := range []*side{h.good, h.bad} {
		s.added[filepath.Join(s.dir, filepath.Base(h.opts.Driver))] = content
	}
	return nil
}

// carry copies test files from the tree that has the workload to the one that
// lacks it.
func carry(from, to *side, files []string) error {
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(from.dir, name))
		if err != nil {
			return fmt.Errorf("carrying %s from %s to %s: %w", name, from.label, to.label, err)
		}
		to.added[filepath.Join(to.dir, name)] = content
	}
	return nil
}

// declaring lists the test files of dir that declare a function whose name
// starts with prefix and matches the first element of the pattern, as the
// testing package matches it.
func declaring(dir, prefix, pattern string) ([]string, error) {
	re, err := regexp.Compile(firstElement(pattern))
	if err != nil {
		return nil, fmt.Errorf("the pattern %q: %w", pattern, err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range names {
		// A file that does not parse is the compiler's to complain about.
		f, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if f != nil && declares(f, prefix, re) {
			found = append(found, filepath.Base(name))
		}
	}
	return found, nil
}

func declares(f *ast.File, prefix string, re *regexp.Regexp) bool {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, prefix) && re.MatchString(fn.Name.Name) {
			return true
		}
	}
	return false
}

// firstElement cuts a pattern at its first slash outside brackets, as package
// testing does for sub-benchmarks.
func firstElement(pattern string) string {
	square, round := 0, 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			square++
		case ']':
			square = max(0, square-1)
		case '(':
			if square == 0 {
				round++
			}
		case ')':
			if square == 0 {
				round--
			}
		case '/':
			if square == 0 && round == 0 {
				return pattern[:i]
			}
		}
	}
	return pattern
}
