package revert

import (
	"errors"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/change"
)

var notImported = regexp.MustCompile(`could not import (\S+)`)

// addPackage adds a package of good that bad's tree doesn't have and that good's
// code imports. It reports whether that was news.
func (x *composition) addPackage(msg string) bool {
	m := notImported.FindStringSubmatch(msg)
	if m == nil || x.whole[m[1]] {
		return false
	}
	good := x.Good.Loaded[x.ToGood(m[1])]
	if good == nil || !change.Local(good) || x.wholeDir(good) == "" {
		return false
	}
	x.whole[m[1]] = true
	x.note("package %s is good's, bad has none", m[1])
	return true
}

// wholeDir is where in bad's tree a package of good belongs.
func (x *composition) wholeDir(good *packages.Package) string {
	root, _ := x.Bad.Prog.Package()
	top := x.Bad.Packages[root]
	if good.Module == nil || top == nil || top.Module == nil || len(good.Syntax) == 0 {
		return ""
	}
	dir := filepath.Dir(x.Good.Prog.Fset.File(good.Syntax[0].Package).Name())
	rel, err := filepath.Rel(good.Module.Dir, dir)
	if err != nil {
		return ""
	}
	return filepath.Join(top.Module.Dir, rel)
}

// wholeFiles gives the files of the packages that only good has, tests excepted.
func (x *composition) wholeFiles(path string) []*file {
	good := x.Good.Loaded[x.ToGood(path)]
	var files []*file
	for _, syntax := range good.Syntax {
		name := x.Good.Prog.Fset.File(syntax.Package).Name()
		if change.IsTest(name) {
			continue
		}
		files = append(files, &file{
			name:    filepath.Join(x.wholeDir(good), filepath.Base(name)),
			content: slices.Clone(x.Good.Prog.Contents(name)),
		})
	}
	return files
}

// checkWhole type-checks a package that only good has when it is imported.
func (x *composition) checkWhole(path string, checked map[string]*types.Package) (*types.Package, error) {
	good := *x.Good.Loaded[x.ToGood(path)]
	good.Syntax, good.PkgPath = nil, path
	typ, errs := x.checkPackage(&good, x.wholeFiles(path), checked)
	if len(errs) > 0 {
		return nil, errors.New(errs[0].text)
	}
	checked[path] = typ
	return typ, nil
}
