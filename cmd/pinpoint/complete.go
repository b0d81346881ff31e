package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/hunt/setup"
)

// complete has the shell complete flags by what the repository has: revisions by git's
// refs, packages, benchmarks, tests and functions by the files as they lie there. Nothing
// is built or loaded for it.
func complete(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		var list func(dir, pkg string) []string
		switch f.Name {
		case "good", "bad", "rev", "base", "head":
			list = func(dir, _ string) []string { return append(refs(dir), "HEAD", "WORKTREE") }
		case "pkg", "main":
			list = func(dir, _ string) []string { return packageDirs(dir) }
		case "bench", "test":
			prefix := map[string]string{"bench": "Benchmark", "test": "Test"}[f.Name]
			list = func(dir, pkg string) []string {
				return declaredIn(dir, pkg, func(d *ast.FuncDecl) bool { return d.Recv == nil && strings.HasPrefix(d.Name.Name, prefix) })
			}
		case "func":
			list = func(dir, pkg string) []string { return declaredIn(dir, pkg, func(*ast.FuncDecl) bool { return true }) }
		case "metric":
			list = func(string, string) []string { return setup.Metrics }
		default:
			if c, ok := f.Value.(choice); ok {
				list = func(string, string) []string { return c.among }
			}
		}
		if list == nil {
			return
		}
		// It fails only for a flag that has a completion already.
		_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			all := list(valueOf(cmd, "C"), valueOf(cmd, "pkg"))
			return slices.DeleteFunc(all, func(s string) bool { return !strings.HasPrefix(s, begun) }), cobra.ShellCompDirectiveNoFileComp
		})
	})
	for _, sub := range cmd.Commands() {
		complete(sub)
	}
}

// valueOf is a flag's value, the directory at hand where there is none.
func valueOf(cmd *cobra.Command, flag string) string {
	if f := cmd.Flags().Lookup(flag); f != nil && f.Value.Type() == "string" && f.Value.String() != "" {
		return f.Value.String()
	}
	return "."
}

// refs are the names of branches and tags.
func refs(dir string) []string {
	out, err := exec.Command("git", "-C", dir, "for-each-ref", "--format=%(refname:short)", "--count=1000").Output()
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// packageDirs are the directories below dir that have Go files, as --pkg takes them.
func packageDirs(dir string) (list []string) {
	// What can't be read is not offered.
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case d.IsDir() && name != dir && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || d.Name() == "testdata" || d.Name() == "vendor"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go"):
			if rel, err := filepath.Rel(dir, filepath.Dir(name)); err == nil && !slices.Contains(list, "./"+rel) {
				list = append(list, "./"+rel)
			}
		}
		return nil
	})
	return list
}

// declaredIn are the functions of a package's files that are asked for, as --func takes
// them.
func declaredIn(dir, pkg string, asked func(*ast.FuncDecl) bool) (list []string) {
	files, _ := filepath.Glob(filepath.Join(dir, pkg, "*.go"))
	for _, name := range files {
		file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && asked(d) {
				list = append(list, nameOfDecl(d))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// nameOfDecl is Func, T.Method or (*T).Method.
func nameOfDecl(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	typ, form := d.Recv.List[0].Type, "%."
	if star, ok := typ.(*ast.StarExpr); ok {
		typ, form = star.X, "(*%)."
	}
	switch x := typ.(type) { // of a generic type, its name
	case *ast.IndexExpr:
		typ = x.X
	case *ast.IndexListExpr:
		typ = x.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return strings.Replace(form, "%", id.Name, 1) + d.Name.Name
	}
	return d.Name.Name
}
