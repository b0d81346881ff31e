package revision

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
)

// history is a repository with a commit for each archive: the first as it is, the others
// over it. It gives its directory and the commits' hashes.
func history(t *testing.T, archives ...string) (dir string, commits []string) {
	t.Helper()
	dir = t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	for _, text := range archives {
		unpack(t, dir, text)
		git("add", "-A")
		git("commit", "-q", "-m", "one more")
		commits = append(commits, git("rev-parse", "HEAD"))
	}
	return dir, commits
}

// unpack writes an archive to a directory.
func unpack(t *testing.T, dir, text string) {
	t.Helper()
	for _, file := range txtar.Parse([]byte(text)).Files {
		name := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	first = `
-- go.mod --
module example.com/m

go 1.16
-- p.go --
package p

func Work() int { return 1 }
-- sub/s.go --
package s
-- sub/s_test.go --
package s

import "testing"

func BenchmarkSub(b *testing.B) {}
`
	second = `
-- p.go --
package p

func Work() int { return helper() }

func helper() int { return 2 }
`
	third = `
-- p_test.go --
package p

import "testing"

func BenchmarkWork(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Work()
	}
}

func BenchmarkOther(b *testing.B) {}
`
)

var (
	work1 = harness.Workload{Kind: harness.Bench, Pattern: "^BenchmarkWork$"}
	other = harness.Workload{Kind: harness.Bench, Pattern: "^BenchmarkOther$"}
)

func ends(commits []string) change.Pair[string] {
	return change.Pair[string]{Good: commits[0], Bad: commits[len(commits)-1]}
}

// TestUnbuilt: what the go command leaves when it is killed lies where the next one removes it.
func TestUnbuilt(t *testing.T) {
	t.Parallel()
	dir, commits := history(t, first)
	s, err := Open(t.Context(), Spec{Dir: dir, Unbuilt: true, CacheDir: t.TempDir()}, commits[0])
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if env := s.All()[0].Go().Env; !slices.Contains(env, "GOTMPDIR="+filepath.Join(s.house.temp.Path, "go")) {
		t.Errorf("it leaves it where %q say", env)
	}
}

func TestOpenPair(t *testing.T) {
	t.Parallel()
	dir, commits := history(t, first, second, third)
	ctx, spec := t.Context(), Spec{Dir: dir, Workload: work1, CacheDir: t.TempDir()}
	s, err := OpenPair(ctx, spec, ends(commits))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := s.Pair()
	if p.Good.Commit != commits[0] || p.Bad.Commit != commits[2] || p.Good.Label != "good" || p.Bad.Label != "bad" {
		t.Errorf("opened %+v and %+v", p.Good, p.Bad)
	}
	if label, files := s.Carried(); label != "good" || strings.Join(files, " ") != "p_test.go" {
		t.Errorf("carried %v to %q, want p_test.go to good", files, label)
	}
	bins, err := s.Prepare(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("runs", func(t *testing.T) {
		for label, bin := range map[string]harness.Binary{"good": bins.Good, "bad": bins.Bad} {
			process, err := harness.Run(ctx, bin, work1, harness.Order{N: 1, Batches: 1})
			if err != nil || bin.Label != label || len(process.Batches) != 1 {
				t.Errorf("%s: %+v, %v", bin.Label, process.Batches, err)
			}
		}
	})
	t.Run("once", func(t *testing.T) {
		again, err := s.BuildPair(ctx, change.Pair[Build]{})
		if err != nil || again.Good.Path != bins.Good.Path || again.Bad.Path != bins.Bad.Path {
			t.Errorf("the plain build was built again: %v and %v, %v", again, bins, err)
		}
		if n := len(s.Commands()); n != 2 {
			t.Errorf("%d commands: %q", n, s.Commands())
		}
		prog, _ := p.Bad.Load(ctx)
		if same, err := p.Bad.Load(ctx); err != nil || same != prog {
			t.Errorf("loaded again: %v", err)
		}
		s.Unload()
		if fresh, err := p.Bad.Load(ctx); err != nil || fresh == prog {
			t.Errorf("not loaded anew: %v", err)
		}
	})
	t.Run("layout", func(t *testing.T) {
		bin, err := p.Bad.Build(ctx, Build{Layout: 7, Probes: 3})
		if err != nil || bin.Path == bins.Bad.Path || bin.Probes != 3 || !strings.Contains(s.Commands()[2], "-randlayout=7") {
			t.Errorf("%+v: %v", bin, err)
		}
	})
	t.Run("files", func(t *testing.T) {
		name := filepath.Join(p.Bad.PackageDir, "p.go")
		_, err := p.Bad.Build(ctx, Build{Files: map[string][]byte{name: []byte("package p\n")}})
		var refused *harness.BuildError
		if !errors.As(err, &refused) || refused.Label != "bad" || !strings.Contains(refused.Output, "Work") {
			t.Errorf("a build without Work: %v", err)
		}
	})
	t.Run("language", func(t *testing.T) {
		// A generic function in a module of Go 1.16, as probes are.
		name := filepath.Join(p.Bad.PackageDir, "generic.go")
		if _, err := p.Bad.Build(ctx, Build{Files: map[string][]byte{name: []byte("package p\nfunc Generic[T any](T) {}\n")}}); err != nil {
			t.Error(err)
		}
		for _, command := range s.Commands()[:2] {
			if !strings.Contains(command, "-gcflags=example.com/m=-lang=go1.18") {
				t.Errorf("the plain build has its own language: %s", command)
			}
		}
	})
	t.Run("position", func(t *testing.T) {
		progs, err := s.LoadPair(ctx)
		if err != nil {
			t.Fatal(err)
		}
		fn, err := progs.Bad.Func("helper")
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Bad.Position(fn.Pos); got != "p.go:5:1" && got != "p.go:5:6" {
			t.Errorf("helper is at %s", got)
		}
		file, err := p.Bad.Source(fn)
		if err != nil || file.LangVersion != "go1.16" || !strings.Contains(string(file.Src), "helper") {
			t.Errorf("source of helper: %v, %v", file.LangVersion, err)
		}
	})
	t.Run("writes", func(t *testing.T) {
		if list := s.Writes(); len(list) > 0 {
			t.Errorf("writes %q", list)
		}
		name := filepath.Join(p.Bad.PackageDir, "left.txt")
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(name)
		if list := s.Writes(); len(list) != 1 || !strings.Contains(list[0], "bad") || !strings.Contains(list[0], "left.txt") {
			t.Errorf("writes %q", list)
		}
	})
	t.Run("closed", func(t *testing.T) {
		s.Close()
		if exists(bins.Good.Path) {
			t.Error("a binary is left")
		}
		if !exists(p.Good.Dir) {
			t.Error("the tree is gone")
		}
	})
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
