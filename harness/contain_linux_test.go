package harness

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func init() {
	roles["daemon"] = daemon
	roles["heir"] = heir
	roles["glutton"] = glutton
	roles["writer"] = func() int { return writeAt(mostFile) }
	roles["joiner"] = joiner
}

// daemon exits 0 and leaves a process behind that has left its group and session, with
// a child of its own.
func daemon() int {
	leaveIn("heir")
	return 0
}

func heir() int {
	leaveIn("sleeper")
	return hang()
}

func leaveIn(role string) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{roleVar + "=" + role}
	cmd.ExtraFiles = []*os.File{os.NewFile(3, "alive")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// joiner tries to get into the group of the process that started it.
func joiner() int {
	parent, err := syscall.Getpgid(os.Getppid())
	if err == nil {
		err = syscall.Setpgid(0, parent)
	}
	fmt.Println(err)
	return 0
}

func glutton() int {
	var kept [][]byte
	for range 16 {
		b := make([]byte, 16<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		kept = append(kept, b)
	}
	return len(kept) - 16
}

func writeAt(offset int64) int {
	f, err := os.CreateTemp(os.Getenv("TMPDIR"), "large-")
	if err != nil {
		panic(err)
	}
	os.Remove(f.Name())
	_, err = f.WriteAt([]byte("x"), offset)
	fmt.Println(err)
	return 0
}

// TestDaemonsEnd: what a workload starts ends with it, also what left its session.
func TestDaemonsEnd(t *testing.T) {
	alive, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	c := impersonator(t, "daemon")
	c.board = theirs
	if _, err := c.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	// The pipe ends when nobody has it any more.
	alive.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		if _, err := alive.Read(make([]byte, 100)); err != nil {
			if os.IsTimeout(err) {
				t.Fatal("something lives on")
			}
			return
		}
	}
}

// TestOurCommandsLiveOn: a command that another part of pinpoint runs is no stray.
func TestOurCommandsLiveOn(t *testing.T) {
	alive, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	other := exec.Command(os.Args[0])
	other.Env = []string{roleVar + "=sleeper"}
	other.ExtraFiles = []*os.File{theirs}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	defer func() { other.Process.Kill(); other.Wait() }()
	alive.Read(make([]byte, 1))
	if _, err := impersonator(t, "exit3").run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the other command is gone: %v", err)
	}
}

func TestChildrenStayApart(t *testing.T) {
	end, err := impersonator(t, "joiner").run(t.Context())
	if err != nil || !strings.Contains(end.output, "operation not permitted") {
		t.Errorf("a child that joins our group gets %q, %v", end.output, err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	if raceDetector() {
		t.Skip("the race detector's own memory is more than the bounds")
	}
	c := impersonator(t, "glutton")
	c.memory = 128 << 20
	end, err := c.run(t.Context())
	if err != nil || end.state.Success() {
		t.Errorf("a process with 128 MiB took 256: %v, %q, %v", end.state, end.output, err)
	}
	if got := advice(end.failure(time.Minute), Workload{}, end.output); !strings.Contains(got, "--memory") {
		t.Errorf("the advice on %q is %q", end.output, got)
	}
	c.memory = 1 << 30
	if end, err := c.run(t.Context()); err != nil || !end.state.Success() {
		t.Errorf("a process with 1 GiB does not get 256 MiB: %v, %q, %v", end.state, end.output, err)
	}
}

func raceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

func TestFilesAreBounded(t *testing.T) {
	end, err := impersonator(t, "writer").run(t.Context())
	if err != nil || !strings.Contains(end.output, "file too large") {
		t.Errorf("a file beyond the bound: %q, %v", end.output, err)
	}
}

func TestHalfOfMemory(t *testing.T) {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Skip(err)
	}
	var total int64
	fmt.Sscanf(string(data), "MemTotal: %d kB", &total)
	if got := HalfOfMemory(); got <= 0 || got > total<<10 {
		t.Errorf("half of %s kB is %d", strconv.FormatInt(total, 10), got)
	}
}
