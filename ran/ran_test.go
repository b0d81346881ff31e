package ran

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/revision"
)

const subject = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import "example.com/m/deep"

func Often(n int) int { return n + deep.F(n) }

func Once() int { return 1 }

func Never() int { return 1 }

var first = Made()

func Made() int { return 1 }
-- deep/deep.go --
package deep

func F(n int) int { return n }
-- m_test.go --
package m

import (
	"os"
	"os/exec"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(m.Run()) }

func BenchmarkM(b *testing.B) {
	n := Once()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		n += Often(i) + Often(i)
	}
	b.StopTimer()
	for i := 0; i < b.N; i++ {
		n += aside(i)
	}
	if n < 0 {
		Never()
	}
}

func aside(n int) int { return n }

func BenchmarkFails(b *testing.B) { b.Fatal("no") }

func BenchmarkStarts(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if err := exec.Command(os.Args[0], "-test.run", "^$").Run(); err != nil {
			b.Fatal(err)
		}
	}
}
`

// TestRun changes one thing at a time, and reads what a benchmark ran of it.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a package")
	}
	t.Setenv(harness.LockDir, t.TempDir())
	for _, c := range []struct{ name, old, new, want string }{
		{"what is timed", "return n + deep", "return 1 + n + deep", "Often changed: 2 timed"},
		{"a package below", "F(n int) int { return n }", "F(n int) int { return n - 1 }", "deep.F changed: 2 timed"},
		{"set-up", "func Once() int { return 1 }", "func Once() int { return 2 }", "Once changed: 0 timed, around"},
		{"where the timer stands", "aside(n int) int { return n }", "aside(n int) int { return -n }", "aside changed: 0 timed, around"},
		{"what initialises", "Made() int { return 1 }", "Made() int { return 2 }", "Made changed: 0 timed, around"},
		{"TestMain", "{ os.Exit(m.Run()) }", "{ _ = 1; os.Exit(m.Run()) }", "TestMain changed: 0 timed, around"},
		{"what does not run", "Never() int { return 1 }", "Never() int { return 2 }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(subject, c.old, c.new, 1)
			if text == subject {
				t.Fatal("nothing was changed")
			}
			set := open(t, subject, text)
			counter := between(t, set)
			if err := counter.Build(t.Context()); err != nil || counter.Always != "" || counter.Nothing() {
				t.Fatalf("%+v, %v", counter, err)
			}
			runs, errs := counter.Run(t.Context(), harness.Workload{Pattern: "^BenchmarkM$"})
			if errs.Good != nil || errs.Bad != nil {
				t.Fatal(errs)
			}
			for _, run := range []Run{runs.Good, runs.Bad} {
				if got := said(run); got != c.want || run.Programs != (runtime.GOOS != "linux") {
					t.Errorf("%s, programs %v, want %s", got, run.Programs, c.want)
				}
			}
			if c.name == "set-up" {
				if _, errs := counter.Run(t.Context(), harness.Workload{Pattern: "^BenchmarkFails$"}); errs.Good == nil || errs.Bad == nil {
					t.Errorf("a benchmark that fails: %v", errs)
				}
				if runs, errs := counter.Run(t.Context(), harness.Workload{Pattern: "^BenchmarkStarts$"}); errs.Good != nil || !runs.Good.Programs || !runs.Bad.Programs {
					t.Errorf("a benchmark that starts a program: %+v, %v", runs, errs)
				}
			}
		})
	}
	counter := between(t, open(t, subject, strings.Replace(subject, "func Never", "// Never is never called.\nfunc Never", 1)))
	if !counter.Nothing() {
		t.Errorf("a comment: %+v", counter)
	}
}

func between(t *testing.T, set *revision.Set) *Counter {
	progs, err := set.LoadPair(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return New(set, change.Between(progs.Good, progs.Bad))
}

func said(r Run) string {
	var list []string
	for _, x := range r.Executed {
		line := fmt.Sprintf("%s %s: %.3g timed", strings.TrimPrefix(strings.TrimPrefix(x.Function, "example.com/m."), "example.com/m/"), x.Why, x.Timed)
		if x.Around > 0 {
			line += ", around"
		}
		list = append(list, line)
	}
	return strings.Join(list, "; ")
}

// open opens a pair of revisions with these files.
func open(t *testing.T, good, bad string) *revision.Set {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	for i, text := range []string{good, bad} {
		for _, f := range txtar.Parse([]byte(text)).Files {
			name := filepath.Join(dir, f.Name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", "one more")
		git("tag", []string{"good", "bad"}[i])
	}
	set, err := revision.OpenPair(t.Context(), revision.Spec{Dir: dir, CacheDir: t.TempDir()}, change.Pair[string]{Good: "good", Bad: "bad"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Close)
	return set
}
