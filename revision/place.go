package revision

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
)

// driverOf are the files that a spec lays over every revision, nil if there are none.
func driverOf(s *Spec) (map[string][]byte, error) {
	if s.Driver == "" {
		return s.Brought, nil
	}
	if s.Workload.Kind == harness.Main {
		return nil, fmt.Errorf("--driver places a test file and goes with --bench or --test, not with --main")
	}
	content, err := harness.ReadDriver(s.Driver)
	files := map[string][]byte{filepath.Base(s.Driver): content}
	maps.Copy(files, s.Brought)
	return files, err
}

// drives sees to it that a driver, or else the package in each directory, has the workload.
func drives(s *Spec, driver map[string][]byte, dirs []string) error {
	name := filepath.Base(s.Driver)
	if s.Driver == "" || s.Workload.Pattern == "" {
		return nil
	}
	re, err := regexp.Compile(harness.FirstElement(s.Workload.Pattern))
	if err != nil {
		return fmt.Errorf("the pattern %q: %w", s.Workload.Pattern, err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, driver[name], parser.SkipObjectResolution)
	if err != nil || declares(f, s.Workload.Kind, re) {
		return nil // the compiler says more of a file that does not parse
	}
	for _, dir := range dirs {
		if has, err := declaring(dir, s.Workload); err != nil || len(has) == 0 {
			return fmt.Errorf("--driver %s: no %s in it matches %q, and none in %s", s.Driver, s.Workload.Kind, s.Workload.Pattern, s.Package)
		}
	}
	return nil
}

// carried sees to it that both ends have the workload: a benchmark or test that only one
// has is carried to the other with its files. It gives what lies over each, by name in
// the package.
func carried(s *Spec, dirs change.Pair[string]) (files change.Pair[map[string][]byte], err error) {
	if s.Workload.Kind == harness.Main || s.Workload.Pattern == "" {
		return files, nil
	}
	have, err := change.Both(dirs, func(dir string) ([]string, error) { return declaring(dir, s.Workload) })
	if err != nil {
		return files, err
	}
	switch {
	case len(have.Good) == 0 && len(have.Bad) == 0:
		return files, &LackingError{What: s.Workload.Kind.String(), Name: s.Workload.Pattern, Where: s.Package}
	case len(have.Good) == 0:
		files.Good, err = contents(dirs.Bad, have.Bad)
	case len(have.Bad) == 0:
		files.Bad, err = contents(dirs.Good, have.Good)
	}
	return files, err
}

// contents reads test files of the tree that has the workload, for the one that lacks it.
func contents(dir string, names []string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("carrying %s to the revision that lacks it: %w", name, err)
		}
		files[name] = content
	}
	return files, nil
}

// declaring lists the test files of dir that declare a function of the workload's kind
// whose name matches the first element of the pattern, as the testing package matches it.
func declaring(dir string, w harness.Workload) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	return declaringOf(names, w)
}

// declaringOf lists which of the files do.
func declaringOf(names []string, w harness.Workload) ([]string, error) {
	re, err := regexp.Compile(harness.FirstElement(w.Pattern))
	if err != nil {
		return nil, fmt.Errorf("the pattern %q: %w", w.Pattern, err)
	}
	var found []string
	for _, name := range names {
		// A file that does not parse is the compiler's to complain about.
		f, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if f != nil && declares(f, w.Kind, re) {
			found = append(found, filepath.Base(name))
		}
	}
	return found, nil
}

func declares(f *ast.File, kind harness.Kind, re *regexp.Regexp) bool {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if is, ok := harness.KindOf(fn); ok && is == kind && re.MatchString(fn.Name.Name) {
			return true
		}
	}
	return false
}
