package harness

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// roleVar makes the test binary impersonate a child. Its value names one of roles.
const roleVar = "PINPOINT_HARNESS_ROLE"

// roles are what a child can be. os.Args are the child's own.
var roles = map[string]func() int{
	"describe":   describe,
	"exit3":      func() int { fmt.Println("about to fail"); return 3 },
	"hang":       func() int { fmt.Println("hanging"); ready(); return hang() },
	"stubborn":   stubborn,
	"polite":     polite,
	"parent":     parentOfSleeper,
	"leave":      leaveSleeper,
	"sleeper":    sleeper,
	"die":        func() int { syscall.Kill(os.Getpid(), syscall.SIGKILL); return hang() },
	"loud":       loud,
	"supervisor": supervisor,
	"holder":     holder,
}

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		os.Exit(roles[role]())
	}
	var err error
	if shared, err = os.MkdirTemp("", "harness-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(shared)
	os.Exit(code)
}

// describe prints everything that a process can see of how it was started.
func describe() int {
	wd, _ := os.Getwd()
	fmt.Println("args", strings.Join(os.Args[1:], " "))
	fmt.Println("wd", wd)
	fmt.Println("leader", syscall.Getpgrp() == os.Getpid())
	for _, e := range os.Environ() {
		fmt.Println("env", e)
	}
	in := make([]byte, 100)
	n, _ := os.Stdin.Read(in)
	fmt.Printf("stdin %q\n", in[:n])
	board := os.NewFile(3, "board")
	n, _ = board.Read(in)
	fmt.Printf("board %q\n", in[:n])
	return 0
}

// hang lives until it is killed. A mere select would be found out by the
// runtime as a deadlock.
func hang() int {
	for {
		time.Sleep(time.Hour)
	}
}

// stubborn ignores every signal that can be.
func stubborn() int {
	signal.Ignore(syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGINT)
	ready()
	return hang()
}

// polite goes when it is asked to.
func polite() int {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	ready()
	<-asked
	fmt.Println("going")
	return 0
}

// ready tells the test, over descriptor 3, that the role is being played. As
// long as a process lives that has the descriptor, the test reads no end of file.
func ready() { os.NewFile(3, "test").Write([]byte(".")) }

func sleeper() int {
	ready()
	return hang()
}

// supervisor runs a sleeper as the harness does, and is to be killed.
func supervisor() int {
	c := child{path: os.Args[0], env: []string{roleVar + "=sleeper"}, board: os.NewFile(3, "test"), timeout: forever}
	c.run(context.Background())
	return 1
}

// startSleeper starts a grandchild that inherits descriptor 3.
func startSleeper() {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{roleVar + "=sleeper"}
	cmd.ExtraFiles = []*os.File{os.NewFile(3, "alive")}
	cmd.Stdout = os.Stdout
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// parentOfSleeper hangs with a grandchild.
func parentOfSleeper() int {
	startSleeper()
	return hang()
}

// leaveSleeper exits 0 and leaves a grandchild behind.
func leaveSleeper() int {
	startSleeper()
	return 0
}

func loud() int {
	line := strings.Repeat("x", 99) + "\n"
	for range 10 * tailSize / len(line) {
		os.Stdout.WriteString(line)
	}
	os.Stderr.WriteString("the last words\n")
	return 1
}
