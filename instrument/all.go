package instrument

import (
	"go/ast"
	"go/version"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// callsOf returns a probe without ID for every call expression of a file, in the
// order of the source, among them those in the initialisers of the package's
// variables.
func callsOf(f File) []CallProbe {
	var probes []CallProbe
	for cur := range inspector.New([]*ast.File{f.Syntax}).Root().Preorder((*ast.CallExpr)(nil)) {
		c := cur.Node().(*ast.CallExpr)
		if k := kindOf(f.Info, c); k == kindCall || k == kindC {
			probes = append(probes, CallProbe{Call: c, Func: enclosingFunc(cur)})
		}
	}
	return probes
}

// All probes every call expression of some files, usually those of a package, or
// only those directly in the function fn if it is not nil, with IDs from first on in
// the order of the files. It returns the files that changed by name, the probes
// asked for and, of these, the ones refused.
func All(files []File, fn ast.Node, first int) (changed map[string][]byte, asked []CallProbe, refused []Refusal, err error) {
	changed = make(map[string][]byte)
	for _, f := range files {
		probes := callsOf(f)
		if fn != nil {
			probes = slices.DeleteFunc(probes, func(p CallProbe) bool { return p.Func != fn })
		}
		for i := range probes {
			probes[i].ID = first + len(asked) + i
		}
		asked = append(asked, probes...)
		out, no, err := Rewrite(f, probes, nil)
		if err != nil {
			return nil, nil, nil, err
		}
		refused = append(refused, no...)
		if len(no) < len(probes) {
			changed[f.Name] = out
		}
	}
	return changed, asked, refused, nil
}

// NeedsLang returns the flag for go build and go test without which a file's
// package can't have probes, for they are generic: its language version is from
// before Go 1.18. The unprobed build it is compared with needs the same flag.
// The package's external tests are a package of their own to the compiler.
func NeedsLang(f File) (flag string, ok bool) {
	if f.LangVersion == "" || version.Compare(f.LangVersion, "go1.18") >= 0 {
		return "", false
	}
	// Not a later version: from Go 1.22 on a loop's variables are others.
	return "-gcflags=" + strings.TrimSuffix(f.Pkg.Path(), "_test") + "=-lang=go1.18", true
}
