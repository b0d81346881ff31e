package callgraph

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const brokenModule = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import (
	"os"
	"example.com/m/used"
)

func F() int {
	x := used.G()
	return "s"
}
-- unused/unused.go --
package unused

func Broken() { undefined() }
-- used/used.go --
package used

func G() { return 1 +; }
-- used/z.go --
package used

func ) {
-- twice/a.go --
package twice

func F() {}
-- twice/b.go --
package twice

func F() { return 1 }
-- missing/x.go --
package missing

import "nosuch.example/x"

func F() { return x.X }
-- untested/x.go --
package untested

func X() {}
-- untested/x_test.go --
package untested

func TestX(t *testing.T) {}
-- onlytests/x_test.go --
package onlytests_test

import "testing"

func BenchmarkX(b *testing.B) {}
`

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	dir := unpack(t, txtar.Parse([]byte(brokenModule)))
	tests := []struct {
		pkg  string
		want []string
		more int // lines of advice after them
	}{
		{".", []string{
			"used/used.go:3:22: expected operand, found ';'",
			"used/z.go:3:6: expected 'IDENT', found ')'",
		}, 0},
		{"./unused", []string{"unused/unused.go:3:17: undefined: undefined"}, 0},
		{"./twice", []string{
			"twice/b.go:3:6: F redeclared in this block",
			"twice/a.go:3:6: \tother declaration of F",
			"twice/b.go:3:19: too many return values",
		}, 2},
		{"./missing", []string{"missing/x.go:3:8: no required module provides package nosuch.example/x"}, 1},
		{"./untested", []string{"untested/x_test.go:3:15: undefined: testing"}, 0},
	}
	for _, test := range tests {
		_, err := Load(t.Context(), Config{Dir: dir, Package: test.pkg, Tests: true, Env: env()})
		var lines *LoadError
		if !errors.As(err, &lines) {
			t.Errorf("%s: error %v, want a LoadError", test.pkg, err)
			continue
		}
		missing := slices.DeleteFunc(slices.Clone(test.want), func(want string) bool {
			return slices.ContainsFunc(lines.Lines, func(line string) bool { return strings.HasPrefix(line, want) })
		})
		if len(missing) > 0 || len(lines.Lines) != len(test.want)+test.more {
			t.Errorf("%s: got\n%s\nwant lines beginning with\n%s", test.pkg, err, strings.Join(test.want, "\n"))
		}
	}
}

func TestLoadBadPattern(t *testing.T) {
	t.Parallel()
	dir := unpack(t, txtar.Parse([]byte(brokenModule)))
	for _, pkg := range []string{"./nosuch", "./...", "nosuch.example/x", "-flag"} {
		if _, err := Load(t.Context(), Config{Dir: dir, Package: pkg, Env: env()}); err == nil {
			t.Errorf("loading %s: no error", pkg)
		} else {
			t.Log(err)
		}
	}
}

func TestLoadOnlyTests(t *testing.T) {
	t.Parallel()
	dir := unpack(t, txtar.Parse([]byte(brokenModule)))
	p := load(t, dir, "./onlytests")
	if _, err := p.Func("BenchmarkX"); err != nil {
		t.Error(err)
	}
	path, pdir := p.Package()
	if path != "example.com/m/onlytests" || pdir != filepath.Join(dir, "onlytests") {
		t.Errorf("Package() = %s, %s", path, pdir)
	}
}

const variantModule = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

func F() int { return hook() }

var hook = func() int { return 1 }
-- tagged.go --
//go:build special

package m

func Tagged() {}
-- in_test.go --
package m

import "testing"

func Exported() int { return F() }

func BenchmarkIn(b *testing.B) { F() }
-- ext_test.go --
package m_test

import (
	"testing"

	"example.com/m"
	"example.com/m/user"
)

func BenchmarkOut(b *testing.B) {
	m.Exported()
	user.U()
}
-- user/user.go --
package user

import "example.com/m"

func U() int { return m.F() }
-- user/user_test.go --
package user

func broken() { undefined() }
`

// TestVariants follows calls from the external tests through a package that is
// compiled again for them, into the variant that has the internal tests.
func TestVariants(t *testing.T) {
	t.Parallel()
	p := load(t, unpack(t, txtar.Parse([]byte(variantModule))), ".")
	var list []string
	for _, pkg := range p.Packages() {
		list = append(list, pkg.ID)
	}
	want := "example.com/m [example.com/m.test], example.com/m/user [example.com/m.test], example.com/m_test [example.com/m.test]"
	if got := strings.Join(list, ", "); got != want {
		t.Errorf("packages with source:\n%s\nwant\n%s", got, want)
	}
	out, _ := p.Func("BenchmarkOut")
	layer, err := p.Layer(out)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := p.Func("F")
	for _, call := range layer.Calls {
		below, err := p.Layer(call.Callee())
		if err != nil {
			t.Fatal(err)
		}
		if below.Calls[0].Callee() != f {
			t.Errorf("%s calls %v, want the one F", call.Callee().Name, below.Calls[0].Callee())
		}
	}
	if _, err := p.Func("Tagged"); err == nil {
		t.Error("found a function that build tags rule out")
	}
}

const vendoredModule = `
-- go.mod --
module example.com/m

go 1.26

require example.com/dep v1.0.0
-- m.go --
package m

type T struct{ N int }
-- in_test.go --
package m

func (T) OnlyForTests() {}
-- ext_test.go --
package m_test

import (
	"testing"

	"example.com/dep"
)

func BenchmarkOut(b *testing.B) { dep.Get().OnlyForTests() }
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.26
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep

import "example.com/m"

func Get() m.T { return m.T{} }
`

// TestVariantWithoutSource takes the types of a dependency from where it is compiled
// again for the test binary: they refer to what only that has.
func TestVariantWithoutSource(t *testing.T) {
	t.Parallel()
	p := load(t, unpack(t, txtar.Parse([]byte(vendoredModule))), ".", "-mod=vendor")
	fn, err := p.Func("BenchmarkOut")
	if err != nil {
		t.Fatal(err)
	}
	layer, err := p.Layer(fn)
	if err != nil || len(layer.Calls) != 2 {
		t.Fatalf("layer %v, %v", layer, err)
	}
	only, _ := p.Func("(T).OnlyForTests")
	if got := layer.Calls[1].Callee(); got != only || only == nil {
		t.Errorf("calls %v, want the method that the internal tests have", got)
	}
}

func TestBuildFlags(t *testing.T) {
	t.Parallel()
	dir := unpack(t, txtar.Parse([]byte(variantModule)))
	driver := filepath.Join(t.TempDir(), "elsewhere.go")
	src := "package m\n\nimport \"testing\"\n\nfunc BenchmarkDriver(b *testing.B) { Tagged() }\n"
	if err := os.WriteFile(driver, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "changed.go")
	if err := os.WriteFile(changed, []byte("package m\n\nfunc F() int { return other() }\n\nfunc other() int { return 2 }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	table, _ := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(dir, "driver_test.go"): driver,
		filepath.Join(dir, "m.go"):           changed,
		filepath.Join(dir, "in_test.go"):     "",
		filepath.Join(dir, "ext_test.go"):    "",
	}})
	over := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(over, table, 0o666); err != nil {
		t.Fatal(err)
	}
	p := load(t, dir, ".", "-tags", "special", "-overlay="+over)
	fn, err := p.Func("BenchmarkDriver")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "driver_test.go"); fn.Filename() != want {
		t.Errorf("BenchmarkDriver is in %s, want %s", fn.Filename(), want)
	}
	if want := "func BenchmarkDriver(b *testing.B) { Tagged() }"; string(fn.Source()) != want {
		t.Errorf("source %q, want %q", fn.Source(), want)
	}
	layer, err := p.Layer(fn)
	if err != nil || len(layer.Calls) != 1 || nameOf(layer.Calls[0].Callee()) != "example.com/m.Tagged" {
		t.Errorf("layer %v, %v", layer, err)
	}
	if _, err := p.Func("other"); err != nil {
		t.Errorf("the overlay's version of m.go was not read: %v", err)
	}
	if _, err := p.Func("BenchmarkIn"); err == nil {
		t.Error("a file that the overlay deletes was read")
	}
}
