package fleet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
)

// Real processes on a worker find the files of their tree, their input and the values that
// the hunting machine has, start each with files as they were, and fail as they do here.
func TestProcesses(t *testing.T) {
	t.Setenv("PINPOINT_TEST_VALUE", "carried")
	top := t.TempDir()
	for name, content := range map[string]string{
		"program": "#!/bin/sh\n" +
			"test \"$(cat testdata/file)\" = content || { echo no file; exit 1; }\n" +
			"test \"$(cat ../above)\" = above || { echo no file above; exit 1; }\n" +
			"read line && test \"$line\" = input || { echo no input; exit 1; }\n" +
			"test \"$PINPOINT_TEST_VALUE\" = carried || { echo no value; exit 1; }\n" +
			"test ! -e written || { echo not as it was; exit 1; }\n" +
			"test \"$1\" != write || echo x >written\n",
		"above": "above", "pkg/testdata/file": "content",
	} {
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	j := joinOf(serve(t, t.TempDir(), -1, 1<<30))
	start(t, j, nil)
	f := over(t, j)
	b := harness.Binary{Path: filepath.Join(top, "program"), Dir: filepath.Join(top, "pkg"), Tree: top, Label: "good"}
	task := harness.Task{
		Binaries: []harness.Binary{b, b}, N: []int64{1, 1}, Batches: 1, Order: []int{1, 0},
		Workload: harness.Workload{Kind: harness.Main, Input: []byte("input\n"), Env: []string{"PINPOINT_TEST_VALUE"}},
	}
	done, err := f.Run(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	for side, p := range done.Round.Runs {
		if p.Seconds <= 0 || !strings.HasPrefix(p.Command[0], "/") || p.Command[0] == b.Path {
			t.Errorf("side %d took %v s: %q", side, p.Seconds, p.Command)
		}
	}
	// The second process finds what the first wrote, as it does here; the next round doesn't.
	task.Workload.Args = []string{"write"}
	var failed *harness.WorkloadError
	if _, err := f.Run(t.Context(), task); !errors.As(err, &failed) || !strings.Contains(failed.Tail, "not as it was") {
		t.Errorf("the error is %v", err)
	}
	task.Workload.Args = nil
	if _, err := f.Run(t.Context(), task); err != nil {
		t.Errorf("what a workload wrote stays: %v", err)
	}
	leave(t, f, j)
}

// A local fleet has all of it in this process, and leaves nothing: no goroutine, no open
// file, no process, and no file in its directory.
func TestLocal(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	local(t) // what is made once is made
	before := left(t)
	for range 3 {
		local(t)
	}
	for until := time.Now().Add(20 * time.Second); ; runtime.Gosched() { // connections end by and by
		after := left(t)
		if after.goroutines <= before.goroutines && after.files <= before.files && after.processes == 0 {
			break
		}
		if time.Now().After(until) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("left are %+v, and were %+v\n%s", after, before, stacks[:runtime.Stack(stacks, true)])
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// local runs rounds on a local fleet, and ends it.
func local(t *testing.T) {
	t.Helper()
	f, stop, err := Local(t.Context(), 2, "v0", nil)
	if err != nil {
		t.Fatal(err)
	}
	for f.Machines()[0].Count < 2 { // the second may come later
		f.count(t.Context())
	}
	b := harness.Binary{Path: "/bin/true", Dir: t.TempDir()}
	task := harness.Task{
		Binaries: []harness.Binary{b, b}, N: []int64{1, 1}, Batches: 1, Order: []int{0, 1},
		Workload: harness.Workload{Kind: harness.Main},
	}
	if _, err := runAll(t, f, []harness.Task{task, task, task}); err != nil {
		t.Error(err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

type leftovers struct{ goroutines, files, processes int }

// left counts what this process has; files and processes where /proc tells.
func left(t *testing.T) leftovers {
	t.Helper()
	l := leftovers{goroutines: runtime.NumGoroutine()}
	files, _ := os.ReadDir("/proc/self/fd")
	l.files = len(files)
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, _ := os.ReadFile(name) // "7 (a name) S 1 ...": the state, then the parent
		if _, rest, ok := strings.Cut(string(data), ") "); ok && strings.HasPrefix(rest[2:], fmt.Sprint(os.Getpid(), " ")) {
			l.processes++
		}
	}
	return l
}
