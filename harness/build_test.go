package harness

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"golang.org/x/tools/txtar"
)

// tree writes the files of a txtar archive and returns their directory.
func tree(t *testing.T, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	extract(t, dir, archive)
	return dir
}

// extract writes the files of a txtar archive below dir.
func extract(t *testing.T, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// offline keeps the go command from the network and from the user's settings.
func offline(t *testing.T) {
	t.Helper()
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOENV", "off")
}

func goIn(t *testing.T, dir string) *Go {
	t.Helper()
	g, err := FindGo(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const buildable = `
-- go.mod --
module example.com/m

go 1.20
-- m.go --
package m
-- vet/vet_test.go --
package vet

import ("testing"; "fmt")

func BenchmarkVet(b *testing.B) { fmt.Printf("%d", "no number") }
-- bare/bare.go --
package bare

func F() int { return 1 }
-- broken/broken.go --
package broken

func F() int { return "one" }
-- broken/broken_test.go --
package broken
-- tests/tests.go --
package tests
-- tests/tests_test.go --
package tests

import "testing"

func BenchmarkX(b *testing.B) { undefined1(); undefined2() }
-- tests/helper_test.go --
package tests
-- external/external_test.go --
package external_test

func init() { undefined3() }
-- cmd/prog/main.go --
package main

func main() { println(tagged) }
-- cmd/one/one.go --
package main

func main() {}
-- cmd/prog/tag.go --
//go:build extra

package main

const tagged = "extra"
-- cmd/prog/notag.go --
//go:build !extra

package main

const tagged = "plain"
`

func TestBuild(t *testing.T) {
	offline(t)
	dir := tree(t, buildable)
	g := goIn(t, dir)
	for _, test := range []struct {
		name    string
		side    Side
		kind    Kind
		workDir string
		inArgs  []string
	}{
		{"fails vet", Side{Package: "./vet"}, Bench, "vet", []string{"test", "-c", "-vet=off", "-buildvcs=false"}},
		{"by import path", Side{Package: "example.com/m/vet"}, Test, "vet", nil},
		{"added driver", Side{Package: "./bare", Overlay: map[string][]byte{
			filepath.Join(dir, "bare", "driver_test.go"): []byte("package bare\nimport \"testing\"\nfunc BenchmarkF(b *testing.B) { F() }\n"),
		}}, Bench, "bare", nil},
		{"program", Side{Package: "./cmd/prog", Tags: "extra"}, Main, "", []string{"build", "-tags=extra"}},
		{"program by its file", Side{Package: "./cmd/one/one.go"}, Main, "", nil},
		{"flags", Side{Package: "./vet", GCFlags: []string{"example.com/m/vet=-lang=go1.18"}}, Bench, "vet", []string{"-gcflags=example.com/m/vet=-lang=go1.18"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.side.Label, test.side.Dir = "bad", dir
			b, err := g.Build(t.Context(), test.side, Workload{Kind: test.kind}, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(b.Path); err != nil || info.Mode()&0o100 == 0 {
				t.Errorf("no program at %s: %v", b.Path, err)
			}
			if want := filepath.Join(dir, test.workDir); b.Dir != want || b.Label != "bad" {
				t.Errorf("runs in %s as %s, want %s as bad", b.Dir, b.Label, want)
			}
			for _, arg := range test.inArgs {
				if !slices.Contains(b.Command, arg) {
					t.Errorf("command %q lacks %s", b.Command, arg)
				}
			}
		})
	}
}

func TestBuildErrors(t *testing.T) {
	offline(t)
	dir := tree(t, buildable)
	g := goIn(t, dir)
	const advice = "its test files don't compile: put a driver (--driver) into a neighbouring package"
	for _, test := range []struct {
		name string
		side Side
		kind Kind
		want string
	}{
		{"package", Side{Package: "./broken"}, Bench, `building the good side:
# example.com/m/broken [example.com/m/broken.test]
broken/broken.go:3:23: cannot use "one" (untyped string constant) as int value in return statement`},
		{"tests", Side{Package: "./tests"}, Bench, `building the good side:
# example.com/m/tests [example.com/m/tests.test]
tests/tests_test.go:5:33: undefined: undefined1
tests/tests_test.go:5:47: undefined: undefined2
` + advice},
		{"driver in a test's place", Side{Package: "./tests", Overlay: map[string][]byte{
			filepath.Join(dir, "tests", "helper_test.go"): []byte("package tests\n"),
		}}, Bench, "the driver lies in the place of the package's own helper_test.go: without it the others don't compile, so give the driver another name"},
		{"external tests", Side{Package: "./external"}, Bench, `building the good side:
# example.com/m/external_test [example.com/m/external.test]
external/external_test.go:3:15: undefined: undefined3
` + advice},
		{"driver", Side{Package: "./bare", Overlay: map[string][]byte{
			filepath.Join(dir, "bare", "driver_test.go"): []byte("package bare\nfunc init() { undefined4() }\n"),
		}}, Bench, `building the good side:
# example.com/m/bare [example.com/m/bare.test]
bare/driver_test.go:2:15: undefined: undefined4`},
		{"driver's syntax", Side{Package: "./bare", Overlay: map[string][]byte{
			filepath.Join(dir, "bare", "driver_test.go"): []byte("package bare\nfunc {\n"),
		}}, Bench, "bare/driver_test.go:2:6: "},
		{"no tests", Side{Package: "./bare"}, Test, "building the good side: example.com/m/bare has no test files"},
		{"no program", Side{Package: "./bare"}, Main, "building the good side: example.com/m/bare is package bare, not a program"},
		{"several", Side{Package: "./..."}, Bench, "building the good side: ./... is 8 packages; name the one that holds the benchmark"},
		{"none", Side{Package: "./nowhere"}, Bench, "building the good side: stat nowhere: directory not found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.side.Label, test.side.Dir = "good", dir
			_, err := g.Build(t.Context(), test.side, Workload{Kind: test.kind}, t.TempDir())
			var be *BuildError
			if !errors.As(err, &be) {
				t.Fatalf("error %v, want a *BuildError", err)
			}
			if got := be.Error(); got != test.want && !strings.Contains(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if advised := be.Advice == advice; advised != strings.Contains(test.want, advice) {
				t.Errorf("advice %q", be.Advice)
			}
			if strings.Contains(be.Error(), dir) {
				t.Errorf("names the private tree:\n%v", be)
			}
		})
	}
}

func TestBuildIsCancelled(t *testing.T) {
	offline(t)
	dir := tree(t, buildable)
	g := goIn(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := g.Build(ctx, Side{Dir: dir, Package: "./vet"}, Workload{}, t.TempDir())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestFlagsThatFight(t *testing.T) {
	offline(t)
	dir := tree(t, buildable)
	for _, test := range []struct{ flags, want string }{
		{"-overlay=x.json", "reading GOFLAGS: -overlay can't be combined with what pinpoint passes to go build; unset it"},
		{"-mod=mod --json", "reading GOFLAGS: -json can't be combined with what pinpoint passes to go build; unset it"},
		{"-mod=mod '-ldflags=-w -s' -tags=a,b", ""},
	} {
		t.Setenv("GOFLAGS", test.flags)
		_, err := FindGo(t.Context(), dir)
		if got := errorText(err); got != test.want {
			t.Errorf("GOFLAGS=%s: error %q, want %q", test.flags, got, test.want)
		}
	}
}

func TestFlagsThatFightWithTheSides(t *testing.T) {
	offline(t)
	dir := tree(t, buildable)
	for _, test := range []struct {
		flags string
		side  Side
		want  string
	}{
		{"-modfile=theirs.mod", Side{ModFile: "ours.mod"}, "reading GOFLAGS: -modfile can't be combined with the one that pinpoint makes; unset it"},
		{"-gcflags=-N", Side{GCFlags: []string{"example.com/m/vet=-lang=go1.18"}}, "reading GOFLAGS: -gcflags can't be combined with the one that pinpoint makes; unset it"},
		{"-gcflags=-N", Side{}, ""},
	} {
		t.Setenv("GOFLAGS", test.flags)
		test.side.Dir, test.side.Package = dir, "./vet"
		_, err := goIn(t, dir).Build(t.Context(), test.side, Workload{}, t.TempDir())
		if got := errorText(err); got != test.want {
			t.Errorf("GOFLAGS=%s: error %q, want %q", test.flags, got, test.want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The go.work of the private tree holds, not the one that the user's
// environment or a directory above the tree names.
func TestWorkspace(t *testing.T) {
	offline(t)
	dir := tree(t, `
-- go.work --
go 1.20
-- plain/go.mod --
module example.com/plain
-- top/go.work --
go 1.20
use ./m
-- top/m/go.mod --
module example.com/m
-- top/other/go.mod --
module example.com/other
-- top/m/sub/x.go --
package x
`)
	elsewhere := filepath.Join(dir, "go.work")
	for _, test := range []struct {
		user string
		side Side
		want string
	}{
		{elsewhere, Side{Dir: "top/m", Top: "top"}, filepath.Join(dir, "top/go.work")},
		{"", Side{Dir: "top/m/sub", Top: "top"}, filepath.Join(dir, "top/go.work")},
		{"", Side{Dir: "plain", Top: "plain"}, "off"},
		{elsewhere, Side{Dir: "plain"}, "off"},
		{"", Side{Dir: "top", Top: "top"}, filepath.Join(dir, "top/go.work")},
		{"", Side{Dir: "top/other", Top: "top"}, "off"},
		{"off", Side{Dir: "top/m", Top: "top"}, "off"},
		{"off", Side{Dir: "top/m", Top: "top", WorkFile: "/private/go.work"}, "/private/go.work"},
	} {
		t.Setenv("GOWORK", test.user)
		test.side.Dir = filepath.Join(dir, test.side.Dir)
		if test.side.Top != "" {
			test.side.Top = filepath.Join(dir, test.side.Top)
		}
		env := test.side.Env(&Go{Env: []string{"A=1"}})
		if want := []string{"A=1", "PWD=" + test.side.Dir, "GOWORK=" + test.want}; !slices.Equal(env, want) {
			t.Errorf("GOWORK=%s, %+v: environment %q, want %q", test.user, test.side, env, want)
		}
	}
}

// A layout is a matter of linking: the same seed gives the same binary.
func TestBuildLayout(t *testing.T) {
	offline(t)
	dir := tree(t, buildable)
	g := goIn(t, dir)
	var binaries []string
	for _, seed := range []uint64{0, 7, 7} {
		b, err := g.Build(t.Context(), Side{Dir: dir, Package: "./vet", Layout: seed}, Workload{}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(b.Path)
		if err != nil {
			t.Fatal(err)
		}
		binaries = append(binaries, string(data))
	}
	if binaries[0] == binaries[1] || binaries[1] != binaries[2] {
		t.Errorf("the order is another: %v; the seed decides: %v", binaries[0] != binaries[1], binaries[1] == binaries[2])
	}
	g.Flags = []string{"-ldflags=-s"}
	if _, err := g.Build(t.Context(), Side{Dir: dir, Package: "./vet", Layout: 7}, Workload{}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "-ldflags") {
		t.Errorf("error %v, want that -ldflags can't be combined", err)
	}
}

// What is measured has no symbol table, which takes long to link, and yet its profiles
// name functions; what the user asks of the linker is left alone.
func TestBuildStrips(t *testing.T) {
	offline(t)
	dir := tree(t, `
-- go.mod --
module example.com/m

go 1.22
-- m_test.go --
package m

import "testing"

var sink int

//go:noinline
func work() {
	for range 10_000_000 {
		sink++
	}
}

func BenchmarkWork(b *testing.B) {
	for range b.N {
		work()
	}
}
`)
	g := goIn(t, dir)
	side := Side{Dir: dir, Package: "."}
	b, err := g.Build(t.Context(), side, Workload{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(b.Command, "-ldflags=-s -w") {
		t.Errorf("command %q keeps the symbols", b.Command)
	}
	out := filepath.Join(t.TempDir(), "cpu")
	cmd := exec.Command(b.Path, "-test.run=^$", "-test.bench=.", "-test.benchtime=20x", "-test.cpuprofile="+out)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	prof, err := profile.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(prof.Function, func(f *profile.Function) bool {
		return f.Name == "example.com/m.work" && f.StartLine > 0 && filepath.Base(f.Filename) == "m_test.go"
	}) {
		t.Errorf("the profile does not name the function that takes the time: %v", prof.Function)
	}
	g.Flags = []string{"-ldflags=-X=main.version=1"}
	if b, err = g.Build(t.Context(), side, Workload{}, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(b.Command, func(arg string) bool { return strings.HasPrefix(arg, "-ldflags") }) {
		t.Errorf("command %q has flags for the linker besides the user's", b.Command)
	}
}
