//go:build linux

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A site is a repository with a planted regression, and a pinpoint that has its own home,
// cache and temporary directory.
type site struct{ dir, repo string }

func newSite(t *testing.T) site {
	t.Helper()
	if os.Getenv("PINPOINT_THOROUGH") == "" {
		t.Skip("measures; set PINPOINT_THOROUGH to run it")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := site{dir, filepath.Join(dir, "repo")}
	for _, name := range []string{"home/.config/go/telemetry", "tmp", "cache", "lock", "repo"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	os.WriteFile(filepath.Join(dir, "home/.config/go/telemetry/mode"), []byte("off"), 0o600)
	s.git(t, "init", "-q")
	for _, rev := range []struct{ name, n string }{{"good", "1000"}, {"bad", "20000"}} {
		for name, text := range map[string]string{
			"go.mod":    "module example.com/m\n\ngo 1.22\n",
			"m.go":      "package m\n\nfunc Sum(n int) (sum int) {\n\tfor i := range " + rev.n + " {\n\t\tsum += i ^ n\n\t}\n\treturn sum\n}\n",
			"m_test.go": "package m\n\nimport \"testing\"\n\nvar sink int\n\nfunc BenchmarkSum(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tsink = Sum(i)\n\t}\n}\n",
		} {
			if err := os.WriteFile(filepath.Join(s.repo, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s.git(t, "add", "-A")
		s.git(t, "commit", "-q", "-m", rev.name)
		s.git(t, "tag", rev.name)
	}
	return s
}

func (s site) git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", s.repo, "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Env = s.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (s site) env() []string {
	env := []string{"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS="}
	for name, dir := range map[string]string{"HOME": "home", "TMPDIR": "tmp", "XDG_CACHE_HOME": "cache", "PINPOINT_LOCK_DIR": "lock"} {
		env = append(env, name+"="+filepath.Join(s.dir, dir))
	}
	if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		env = append(env, "GOCACHE="+strings.TrimSpace(string(cache)))
	}
	return append(env, "PATH="+os.Getenv("PATH"))
}

var (
	findArgs = []string{"find", "--good", "good", "--bad", "bad", "--bench", ".", "--min-effect", "90%", "--alpha", "10%", "--seed", "1", "--evidence-budget", "0s"}
	ciArgs   = []string{"ci", "--base", "good", "--head", "bad", "--all", "--min-effect", "90%", "--alpha", "10%", "--fail-above", "50%", "--seed", "1", "--evidence-budget", "0s"}
)

// commands are those that measure, with what is theirs alone.
func commands() [][]string {
	return [][]string{findArgs, ciArgs, append([]string{"compare"}, findArgs[1:len(findArgs)-2]...), {"measure", "--rev", "bad", "--bench", "."}, {"bisect", "--good", "good", "--bad", "bad", "--bench", ".", "--min-effect", "90%", "--alpha", "10%"}}
}

// pinpoint is the command, by a name under which this test is it.
func (s site) pinpoint(t *testing.T) string {
	t.Helper()
	link := filepath.Join(s.dir, "pinpoint")
	if err := os.Symlink(os.Args[0], link); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	return link
}

// outcome is what a pinpoint came to.
type outcome struct {
	status         int // -1: killed
	stdout, stderr string
	lines          int // of progress
}

// run runs a pinpoint, and calls meddle when it has told so many lines of its progress,
// or at once for -1. Without meddle it is read no further then.
func (s site) run(t *testing.T, args []string, after int, meddle func(*os.Process)) outcome {
	t.Helper()
	return s.runIn(t, nil, args, after, meddle)
}

// runIn is run by way of a command that runs the rest of its line.
func (s site) runIn(t *testing.T, by, args []string, after int, meddle func(*os.Process)) outcome {
	t.Helper()
	line := append(append(by[:len(by):len(by)], s.pinpoint(t)), args...)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir, cmd.Env = s.repo, s.env()
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	n := 0
	if after < 0 {
		meddle(cmd.Process)
	}
	for in := bufio.NewScanner(pipe); in.Scan(); {
		said.WriteString(in.Text() + "\n")
		if n++; n != after {
			continue
		}
		if meddle == nil {
			pipe.Close()
			break
		}
		meddle(cmd.Process)
	}
	cmd.Wait()
	// Whoever asks before main has begun gets Go's own answer.
	if strings.Contains(said.String(), "a defect of pinpoint itself") || strings.Contains(said.String(), "goroutine ") && !strings.HasPrefix(said.String(), "SIGQUIT: quit") {
		t.Errorf("%v crashed:\n%s", args, said.String())
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), said.String(), n}
}

// clean checks that a pinpoint left nothing and changed nothing, by what the repository
// was before.
func (s site) clean(t *testing.T, what, before string) {
	t.Helper()
	if now := s.state(t); now != before {
		t.Errorf("%s: the repository was\n%s\nand is\n%s", what, before, now)
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, "tmp", "*")); len(left) > 0 {
		within, _ := exec.Command("ls", append([]string{"-AlR"}, left...)...).Output()
		t.Errorf("%s: left %v\n%s", what, left, within)
	}
	shared, _ := filepath.Glob("/dev/shm/pinpoint-*")
	for _, name := range shared {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > time.Minute {
			t.Logf("%s: %s is there, of some other", what, name)
		}
	}
	procs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range procs {
		env, _ := os.ReadFile(name)
		if bytes.Contains(env, []byte(filepath.Join(s.dir, "tmp"))) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			t.Errorf("%s: still runs %s", what, bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
		}
	}
}

// state is all that is in the repository, and when it was changed.
func (s site) state(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(s.repo, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&b, name, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSignals ends hunts and jobs at every stage, by everything that ends a process.
func TestSignals(t *testing.T) {
	s := newSite(t)
	before := s.state(t)
	for _, args := range commands() {
		t.Run(args[0], func(t *testing.T) {
			whole := s.run(t, args, 0, nil)
			s.clean(t, args[0], before)
			for stage := 1; stage <= whole.lines; stage++ {
				sig := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGKILL}[stage%5]
				what := fmt.Sprintf("%s, %v after %d of %d lines", args[0], sig, stage, whole.lines)
				got := s.run(t, args, stage, func(p *os.Process) { p.Signal(sig) })
				switch {
				case sig == syscall.SIGKILL:
					s.run(t, []string{"layers", "--rev", "good", "--func", "Sum"}, 0, nil)
				case got.status != exitInterrupted && got.status != whole.status:
					t.Errorf("%s: exit status %d\n%s", what, got.status, got.stderr)
				}
				s.clean(t, what, before)
			}
		})
	}
}

// TestUnread has who reads what is printed go away, as a terminal does, the runner of a job,
// or head.
func TestUnread(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	link := filepath.Join(t.TempDir(), "pinpoint")
	if err := os.Symlink(os.Args[0], link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link, "--help")
	cmd.Stdout = w
	if cmd.Run(); cmd.ProcessState.ExitCode() != exitUnread {
		t.Errorf("pinpoint --help to nobody: %v", cmd.ProcessState)
	}
	s := newSite(t)
	before := s.state(t)
	for stage := 1; stage <= 12; stage += 3 {
		what := fmt.Sprintf("unread after %d lines", stage)
		if got := s.run(t, findArgs, stage, nil); got.status != exitUnread && got.status != 1 {
			t.Errorf("%s: %d\n%s", what, got.status, got.stderr)
		}
		s.clean(t, what, before)
	}
}

// TestQuickSignals ends what measures nothing, at moments that are its own business.
func TestQuickSignals(t *testing.T) {
	s := newSite(t)
	before := s.state(t)
	for _, args := range [][]string{
		{"layers", "--rev", "bad", "--func", "Sum"}, {"probe", "--pkg", ".", "--all", "-o", filepath.Join(s.dir, "probed")},
		{"driver", "--func", "Sum"}, {"find", "--good", "good", "--bad", "bad", "--bench", ".", "--dry-run"},
		{"ci", "--base", "good", "--head", "bad", "--all", "--dry-run"}, {"cache", "clean"}, {"doctor"},
	} {
		for i := range 10 {
			sig := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGKILL}[i%5]
			what := fmt.Sprintf("%v, %v, %d", args, sig, i)
			os.RemoveAll(filepath.Join(s.dir, "probed"))
			got := s.run(t, args, -1, func(p *os.Process) { time.AfterFunc(time.Duration(i*i)*4*time.Millisecond, func() { p.Signal(sig) }) })
			if got.status == -1 {
				// Killed, or before it listens.
				s.run(t, []string{"layers", "--rev", "good", "--func", "Sum"}, 0, nil)
			}
			s.clean(t, what, before)
		}
	}
}

// TestResume kills a hunt and a job again and again, and they come to their end all the
// same: what was measured is not measured again.
func TestResume(t *testing.T) {
	s := newSite(t)
	for _, args := range [][]string{findArgs, ciArgs} {
		t.Run(args[0], func(t *testing.T) {
			args = append(args[:len(args):len(args)], "--resume")
			whole := s.run(t, args, 0, nil)
			if whole.status != 1 || !strings.Contains(whole.stdout, "Sum") {
				t.Fatalf("%v: %d\n%s", args, whole.status, whole.stderr)
			}
			// What is kept lets later ones say less: one of them comes to its end.
			var last outcome
			for stage := 3; ; stage++ {
				if last = s.run(t, args, stage, func(p *os.Process) { p.Kill() }); last.status != -1 {
					break
				}
			}
			if last.status != 1 || !strings.Contains(last.stdout, "Sum") {
				t.Errorf("%v: %d\n%s%s", args, last.status, last.stdout, last.stderr)
			}
			var kept, used int
			for line := range strings.Lines(last.stderr) {
				if n, _ := fmt.Sscanf(line, "pinpoint: used %d of %d", &used, &kept); n == 2 && used < kept {
					t.Errorf("%v: %s", args, line)
				}
			}
			if kept == 0 {
				t.Errorf("%v: nothing was kept\n%s", args, last.stderr)
			}
			if left, _ := filepath.Glob(filepath.Join(s.dir, "cache/pinpoint/rounds/*")); len(left) > 0 {
				t.Errorf("%v: left %v", args, left)
			}
		})
	}
}

// TestMeddling changes the world under a hunt: it says what is true, or what went wrong.
func TestMeddling(t *testing.T) {
	s := newSite(t)
	elsewhere := filepath.Join(s.dir, "elsewhere")
	s.git(t, "clone", "-q", s.repo, elsewhere)
	s.git(t, "-C", elsewhere, "commit", "-q", "--allow-empty", "-m", "more")
	right := func(what string, got outcome) {
		t.Helper()
		if got.status != 1 && got.status != exitFailed || got.status == 1 && !strings.Contains(got.stdout, "Sum") || got.status == exitFailed && !strings.Contains(got.stderr, "pinpoint: ") {
			t.Errorf("%s: %d\n%s%s", what, got.status, got.stdout, got.stderr)
		}
	}
	for stage := 1; stage <= 4; stage++ {
		right("the cache is deleted", s.run(t, findArgs, stage, func(*os.Process) { os.RemoveAll(filepath.Join(s.dir, "cache")) }))
		right("the repository is packed", s.run(t, findArgs, stage, func(*os.Process) {
			s.git(t, "commit", "-q", "--amend", "--allow-empty", "-m", fmt.Sprint("amended ", stage))
			s.git(t, "gc", "-q", "--prune=now")
		}))
		moved := s.run(t, findArgs, stage, func(*os.Process) { s.git(t, "tag", "-f", "bad", "good") })
		if moved.status != 0 { // before it was looked at, the two are the same
			right("the branch is moved", moved)
		}
		s.git(t, "tag", "-f", "bad", "HEAD")
		right("the repository is fetched into", s.run(t, findArgs, stage, func(*os.Process) {
			s.git(t, "fetch", "-q", "--no-tags", elsewhere, fmt.Sprintf("+refs/heads/*:refs/remotes/fetched%d/*", stage))
		}))
		right("the branch is rebased", s.run(t, findArgs, stage, func(*os.Process) {
			s.git(t, "rebase", "-q", "--force-rebase", "--root")
		}))
		other := make(chan outcome, 1)
		right("one of two", s.run(t, findArgs, stage, func(*os.Process) { go func() { other <- s.run(t, findArgs, 0, nil) }() }))
		right("the other", <-other)
		// The clock was set back since, or was wrong then.
		for _, year := range []int{1, 200} {
			at := time.Now().AddDate(year-100, 0, 0)
			filepath.WalkDir(filepath.Join(s.dir, "cache"), func(name string, d fs.DirEntry, err error) error { return os.Chtimes(name, at, at) })
			if got := s.run(t, findArgs, 0, nil); got.status != 1 {
				t.Errorf("files of %v: %d\n%s", at.Year(), got.status, got.stderr)
			}
		}
	}
}

// TestFullDisk gives temporary files and the cache ever more space, from hardly any on.
func TestFullDisk(t *testing.T) {
	s := newSite(t)
	if out, err := exec.Command("unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", s.dir+"/lock").CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted: %s", out)
	}
	before := s.state(t)
	for _, args := range commands() {
		t.Run(args[0], func(t *testing.T) {
			want := s.run(t, args, 0, nil).status
			done := false
			for size := 16; size <= 1<<18 && !done; size *= 4 {
				mount := fmt.Sprintf("mount -t tmpfs -o size=%dk tmpfs %[2]s/tmp && mkdir %[2]s/tmp/c && export XDG_CACHE_HOME=%[2]s/tmp/c TMPDIR=%[2]s/tmp && exec \"$@\"", size, s.dir)
				got := s.runIn(t, []string{"unshare", "-Urm", "sh", "-c", mount, "sh"}, args, 0, nil)
				if done = got.status == want; !done && (got.status != exitFailed || !strings.Contains(got.stdout+got.stderr, "no space left")) {
					t.Errorf("%d KiB: %d\n%s%s", size, got.status, got.stdout, got.stderr)
				}
				s.clean(t, fmt.Sprintf("%d KiB", size), before)
			}
			if !done {
				t.Error("no space was enough")
			}
		})
	}
}
