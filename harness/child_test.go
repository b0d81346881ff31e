package harness

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// forever is a timeout that no test reaches.
const forever = time.Hour

// impersonator is a child that is this test binary in a role.
func impersonator(t *testing.T, role string) child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return child{path: exe, dir: t.TempDir(), env: []string{roleVar + "=" + role}, timeout: forever}
}

// watched gives c descriptor 3. What it returns reads a byte for each process
// that is ready, and the end of file when no process is left that has the descriptor.
func watched(t *testing.T, c *child) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.board = w
	t.Cleanup(func() { r.Close() })
	return r
}

// runUntilReady runs c, and cancels it when a process is ready.
func runUntilReady(t *testing.T, c child) (ending, *os.File, error) {
	t.Helper()
	r := watched(t, &c)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		r.Read(make([]byte, 1))
		cancel()
	}()
	end, err := c.run(ctx)
	c.board.Close()
	return end, r, err
}

// allGone returns when no process has the descriptor any more.
func allGone(t *testing.T, r *os.File) {
	t.Helper()
	if _, err := io.ReadAll(r); err != nil {
		t.Error(err)
	}
}

func TestChildSeesOnlyWhatItWasGiven(t *testing.T) {
	c := impersonator(t, "describe")
	c.args = []string{"-a", "b c"}
	c.env = append(c.env, "ONE=1")
	name := c.dir + "/board"
	if err := os.WriteFile(name, []byte("on three"), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if c.board, err = os.Open(name); err != nil {
		t.Fatal(err)
	}
	end, err := c.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := end.failure(c.timeout); err != nil {
		t.Error(err)
	}
	want := "args -a b c\nwd " + c.dir + "\nleader true\nenv " + roleVar + "=describe\nenv ONE=1\nstdin \"\"\nboard \"on three\"\n"
	if end.output != want {
		t.Errorf("the child saw\n%s\nwant\n%s", end.output, want)
	}
}

func TestChildReadsItsInput(t *testing.T) {
	r, err := newRoom([]byte("hello"))
	if err != nil {
		t.Fatal(err)
	}
	c := impersonator(t, "describe")
	c.stdin = r.input
	end, err := c.run(t.Context())
	if err != nil || !strings.Contains(end.output, "stdin \"hello\"\n") {
		t.Errorf("error %v, the child saw\n%s", err, end.output)
	}
	if err := r.close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(r.own.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the room is still there: %v", err)
	}
}

func TestRoomGoesWithWhatCannotBeWritten(t *testing.T) {
	r, err := newRoom(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(r.tmp+"/mod/pkg", 0o700); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(r.tmp+"/mod/pkg/file", nil, 0o400)
	os.Chmod(r.tmp+"/mod/pkg", 0o500)
	if err := r.close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(r.own.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the room is still there: %v", err)
	}
}

func TestChildFails(t *testing.T) {
	for _, test := range []struct{ role, cause, output string }{
		{"exit3", "exit status 3", "about to fail\n"},
		{"die", "signal: killed", ""},
	} {
		c := impersonator(t, test.role)
		end, err := c.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if cause := end.failure(forever); !errors.As(cause, &exit) || cause.Error() != test.cause {
			t.Errorf("%s: cause %v, want %s", test.role, cause, test.cause)
		}
		if end.output != test.output {
			t.Errorf("%s: output %q, want %q", test.role, end.output, test.output)
		}
	}
}

func TestChildThatCannotStart(t *testing.T) {
	c := child{path: t.TempDir() + "/nowhere", timeout: forever}
	if _, err := c.run(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want one that says that the file doesn't exist", err)
	}
}

func TestChildHangs(t *testing.T) {
	c := impersonator(t, "hang")
	c.timeout = time.Nanosecond
	end, err := c.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if cause := end.failure(c.timeout); !errors.Is(cause, ErrHung) {
		t.Errorf("cause %v, want ErrHung", cause)
	}
}

// A Go program that hangs says where. How long it takes to come so far is
// not known, so the timeout grows until it does.
func TestHangingChildPrintsItsGoroutines(t *testing.T) {
	c := impersonator(t, "hang")
	for c.timeout = 50 * time.Millisecond; ; c.timeout *= 2 {
		r := watched(t, &c)
		end, err := c.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c.board.Close()
		if got, _ := io.ReadAll(r); len(got) == 0 {
			continue
		}
		if !strings.Contains(end.output, "SIGQUIT") || !strings.Contains(end.output, "goroutine 1") {
			t.Errorf("no goroutines in the output:\n%s", end.output)
		}
		return
	}
}

func TestCancelledChild(t *testing.T) {
	for _, role := range []string{"hang", "stubborn", "parent"} {
		t.Run(role, func(t *testing.T) {
			end, r, err := runUntilReady(t, impersonator(t, role))
			if !errors.Is(err, context.Canceled) || end.hung {
				t.Errorf("error %v, hung %v; want context.Canceled", err, end.hung)
			}
			allGone(t, r)
		})
	}
}

// A cancelled program is asked first, and may clean up.
func TestCancelledChildIsAsked(t *testing.T) {
	end, _, _ := runUntilReady(t, impersonator(t, "polite"))
	if end.output != "going\n" || !end.state.Success() {
		t.Errorf("%v, output %q", end.state, end.output)
	}
}

func TestCancelledBeforeTheStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := child{path: t.TempDir() + "/nowhere", timeout: forever}
	if _, err := c.run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// A child dies with a pinpoint that is killed.
func TestChildDiesWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has parent-death signals")
	}
	c := impersonator(t, "supervisor")
	r := watched(t, &c)
	cmd := c.command(new(tail))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.board.Close()
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	allGone(t, r)
}

// A grandchild that outlives a child which exited 0 is killed, not waited for.
func TestExitLeavesNothingBehind(t *testing.T) {
	c := impersonator(t, "leave")
	r := watched(t, &c)
	end, err := c.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := end.failure(forever); err != nil {
		t.Errorf("a child that exited 0 failed: %v", err)
	}
	c.board.Close()
	allGone(t, r)
}

func TestTailKeepsTheEnd(t *testing.T) {
	c := impersonator(t, "loud")
	end, err := c.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(end.output) != tailSize || !strings.HasSuffix(end.output, "x\nthe last words\n") {
		t.Errorf("kept %d bytes that end in %q", len(end.output), end.output[max(0, len(end.output)-30):])
	}
}

func TestTail(t *testing.T) {
	var all strings.Builder
	var kept tail
	for i := range 30_000 {
		line := strings.Repeat("x", i%40) + "\n"
		all.WriteString(line)
		if n, err := kept.Write([]byte(line)); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
		if i%1000 == 0 || i > 29_990 {
			want := all.String()
			want = want[max(0, len(want)-tailSize):]
			if got := kept.String(); got != want {
				t.Fatalf("after %d bytes: kept %d bytes, want %d", all.Len(), len(got), len(want))
			}
		}
	}
	var big tail
	big.Write([]byte(all.String()[:tailSize*3/2]))
	if got := len(big.String()); got != tailSize {
		t.Errorf("kept %d bytes of one write, want %d", got, tailSize)
	}
}
