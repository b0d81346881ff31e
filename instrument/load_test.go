package instrument

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// load type-checks the packages that patterns name in dir, without their
// tests, and returns the files of each.
func load(t *testing.T, dir string, env []string, patterns ...string) map[string][]File {
	t.Helper()
	const mode = packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
		packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedExportFile | packages.NeedModule
	cfg := &packages.Config{Mode: mode, Dir: dir, Env: append(os.Environ(), env...)}
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]File)
	for _, p := range pkgs {
		for _, err := range p.Errors {
			t.Fatalf("loading %s: %v", p.PkgPath, err)
		}
		for _, syntax := range p.Syntax {
			files[p.PkgPath] = append(files[p.PkgPath], FileOf(p, syntax, func(name string) []byte {
				src, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				return src
			}))
		}
	}
	return files
}

// overlayOf writes an overlay of changed files and the runtime.
func overlayOf(t *testing.T, changed map[string][]byte) string {
	t.Helper()
	var o Overlay
	if err := o.Add(changed); err != nil {
		t.Fatal(err)
	}
	if err := o.AddRuntime(rootOfGo(t)); err != nil {
		t.Fatal(err)
	}
	file, err := o.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func rootOfGo(t *testing.T) string {
	t.Helper()
	out, err := goCommand(t.Context(), ".", "env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// goCommand runs the go command and returns what it printed.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}
