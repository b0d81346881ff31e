package suite

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"

	"golang.org/x/tools/txtar"
)

const module1 = `
-- go.mod --
module example.com/m

go 1.21
-- a/a.go --
package a

import (
	"github.com/pinpoint-go/pinpoint/harness"
	_ "embed"

	"example.com/m/b"
)

//go:embed table.txt
var table string

func A() int { return b.B() + len(table) }
-- a/table.txt --
table
-- a/words.txt --
words
-- a/Makefile --
all:
-- a/testdata/deep/in.txt --
in
-- a/fixtures/x.json --
{}
-- a/a_test.go --
package a

import "testing"

var file, dir = "words.txt", "fixtures/x.json"

func BenchmarkA(b *testing.B) {}
func Benchmarklower(b *testing.B) {}
func BenchmarkTwo(a, b *testing.B) {}
func (t *T) BenchmarkMethod(b *testing.B) {}
func BenchmarkGeneric[T any](b *testing.B) {}
func Benchmark(*testing.B) {}
func BenchmarkÜ(b *testing.B) {}
func Benchmark_x(b *testing.B) {}

type T struct{}
-- a/x_test.go --
package a_test

import "testing"

func BenchmarkX(b *testing.B) {}
-- b/b.go --
package b

func B() int { return 1 }
-- c/c.go --
package c
`

// listModule writes a module and lists its package a as a job does.
func listModule(t *testing.T, text string) (*listed, string) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(text)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-deps", "-test", listFields, "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOFLAGS=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	all, err := packagesOf(out)
	if err != nil {
		t.Fatal(err)
	}
	pairs := pairUp(all, all)
	if len(pairs) != 1 || pairs[0].path != "example.com/m/a" {
		t.Fatalf("packages with tests: %+v", pairs)
	}
	return all["example.com/m/a"], dir
}

func TestBenchmarksOf(t *testing.T) {
	t.Parallel()
	a, dir := listModule(t, module1)
	found, err := declared(a, dir, harness.Bench)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Benchmark", "BenchmarkA", "BenchmarkX", "Benchmark_x", "BenchmarkÜ"}
	if got := sortedKeys(found); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if found["BenchmarkA"] != "a/a_test.go:7:6" {
		t.Errorf("BenchmarkA is at %s", found["BenchmarkA"])
	}
}

// TestDifference changes one thing at a time.
func TestDifference(t *testing.T) {
	t.Parallel()
	good, goodDir := listModule(t, module1)
	for _, c := range []struct{ name, old, new, code, all string }{
		{"nothing", "package c", "package c", "", ""},
		{"a package that is not linked", "package c", "package c\n\nvar X int", "", ""},
		{"its code", "return b.B()", "return 1 + b.B()", "a/a.go", ""},
		{"a dependency", "return 1 }", "return 2 }", "b/b.go", ""},
		{"an external test", "func BenchmarkX(b *testing.B) {}", "func BenchmarkX(b *testing.B) { b.Log() }", "a/x_test.go", ""},
		{"an embedded file", "-- a/table.txt --\ntable", "-- a/table.txt --\nother", "", "a/table.txt changed"},
		{"a file that the code names", "-- a/words.txt --\nwords", "-- a/words.txt --\nother", "", "a/words.txt changed"},
		{"a directory that the code names", "{}\n", "[]\n", "", "a/fixtures/x.json changed"},
		{"a file that nobody names", "all:", "none:", "", ""},
		{"test data", "-- a/testdata/deep/in.txt --\nin", "-- a/testdata/deep/in.txt --\nout", "", "a/testdata/deep/in.txt changed"},
		{"the language", "go 1.21", "go 1.22", "", "the language version of example.com/m changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(module1, c.old, c.new, 1)
			if text == module1 && c.old != c.new {
				t.Fatal("nothing was changed")
			}
			bad, badDir := listModule(t, text)
			d, err := (&pkg{good: good, bad: bad}).difference(goodDir, badDir)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(d.code, " "); got != c.code || d.all != c.all {
				t.Errorf("code %q, all %q, want %q, %q", got, d.all, c.code, c.all)
			}
		})
	}
}
