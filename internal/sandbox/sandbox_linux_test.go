package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain is the intruder where a test starts it as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "intrude" {
		for _, try := range os.Args[2:] {
			name, arg, _ := strings.Cut(try, "=")
			fmt.Printf("%s: %v\n", try, attempts[name](arg))
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// attempts of an intruder, by name. The error says why one failed.
var attempts = map[string]func(arg string) error{
	"read":  func(name string) error { _, err := os.ReadFile(name); return err },
	"list":  list,
	"write": func(name string) error { return os.WriteFile(name, []byte("x"), 0o600) },
	"open":  func(name string) error { _, err := os.OpenFile(name, os.O_WRONLY, 0); return err },
	"dial":  dial,
	"serve": serve,
	"kill": func(pid string) error {
		var n int
		fmt.Sscan(pid, &n)
		return syscall.Kill(n, 0)
	},
	"umount": func(dir string) error { return unix.Unmount(dir, unix.MNT_DETACH) },
	"remount": func(dir string) error {
		return unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_BIND, "")
	},
	"nested": nested,
	"fd":     func(string) error { _, err := unix.FcntlInt(77, unix.F_GETFD, 0); return err },
	"daemon": func(name string) error {
		cmd := exec.Command("/bin/sh", "-c", "sleep 1000")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		cmd.ExtraFiles = []*os.File{os.NewFile(3, "alive")}
		return cmd.Start()
	},
}

func list(dir string) error {
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) == 0 {
		return errors.New("nothing there")
	}
	return err
}

func dial(to string) error {
	network, address, _ := strings.Cut(to, ",")
	c, err := net.DialTimeout(network, address, time.Second)
	if err == nil {
		c.Close()
	}
	return err
}

// serve is what benchmarks of servers do.
func serve(string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	return dial("tcp," + l.Addr().String())
}

// nested tries to undo what was mounted with rights over namespaces below.
func nested(dir string) error {
	cmd := exec.Command(os.Args[0], "intrude", "umount="+dir, "remount=/")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS}
	out, err := cmd.Output()
	if err != nil || strings.Contains(string(out), ": <nil>") {
		return errors.Join(err, errors.New(string(out)))
	}
	return errors.New("nothing was undone")
}

// intrude runs an intruder in a sandbox, or without one, and gives what came of its
// attempts, by attempt: "<nil>" of one that did not fail.
func intrude(t *testing.T, v *View, alive *os.File, tries ...string) map[string]string {
	t.Helper()
	var out strings.Builder
	cmd := exec.Command(os.Args[0], append([]string{"intrude"}, tries...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = os.Environ(), &out, &out
	if alive != nil {
		cmd.ExtraFiles = []*os.File{alive}
	}
	if v == nil {
		if err := cmd.Run(); err != nil {
			t.Fatal(err, out.String())
		}
	} else {
		v.Readable = append(v.Readable, os.Args[0])
		entry, err := Prepare(cmd, *v)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if wall, cpu, err := entry.Await(); err != nil || wall <= 0 || cpu <= 0 {
			t.Fatalf("%v, %v, %v", wall, cpu, err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err, out.String())
		}
	}
	results := make(map[string]string)
	for line := range strings.Lines(out.String()) {
		for _, try := range tries {
			if said, ok := strings.CutPrefix(line, try+": "); ok {
				results[try] = strings.TrimSpace(said)
			}
		}
	}
	return results
}

// TestIntruder: what can be done without a sandbox, and should not be, can't be done in it.
func TestIntruder(t *testing.T) {
	if err := Possible(); err != nil {
		t.Skip(err)
	}
	for _, below := range []string{"", "/var/tmp", "/dev/shm"} {
		t.Run(cmp.Or(below, "TMPDIR"), func(t *testing.T) {
			if below != "" {
				t.Setenv("TMPDIR", below)
			}
			testIntruder(t)
		})
	}
}

func testIntruder(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"home/secret", "cache/mine/file", "cache/other/file", "lib/file", "outside"} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte("as it was"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	abstract, err := net.Listen("unix", fmt.Sprintf("@pinpoint-%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	// What was left open without being meant for anybody.
	if err := unix.Dup3(1, 77, 0); err != nil {
		t.Fatal(err)
	}
	defer unix.Close(77)

	forbidden := []string{
		"read=" + at("home/secret"), "list=" + at("home"), "read=" + at("cache/other/file"), "write=" + at("lib/file"),
		"dial=tcp," + tcp.Addr().String(), "dial=unix," + abstract.Addr().String(),
		fmt.Sprintf("read=/proc/%d/environ", os.Getpid()), fmt.Sprintf("kill=%d", os.Getpid()),
	}
	if os.Getuid() == 0 {
		// Rights that root has by being root.
		forbidden = append(forbidden, "open=/proc/sys/kernel/core_pattern")
	}
	allowed := []string{"read=" + at("cache/mine/file"), "write=" + at("cache/mine/file"), "read=" + at("lib/file"), "read=/etc/passwd", "write=/dev/null", "read=/proc/self/stat", "list=/dev"}
	for try, said := range intrude(t, nil, nil, slices.Concat(forbidden, allowed)...) {
		if said != "<nil>" {
			t.Errorf("without a sandbox, %s: %s", try, said)
		}
	}
	v := View{Hidden: []string{at("home"), at("cache"), at("nowhere"), "/"}, Readable: []string{at("lib"), at("gone")}, Writable: []string{at("cache/mine")}}
	forbidden = append(forbidden, "umount="+at("home"), "remount=/", "nested="+at("home"), "fd=", "write=/etc/pinpoint-intruder", "write=/usr/pinpoint-intruder", "list=/tmp/pinpoint-none", "list=/run", "open=/proc/sys/vm/drop_caches", "open=/proc/sysrq-trigger")
	got := intrude(t, &v, nil, slices.Concat(forbidden, allowed, []string{"serve=", "write=" + at("outside"), "write=" + at("new")})...)
	for _, try := range forbidden {
		if got[try] == "<nil>" || got[try] == "" {
			t.Errorf("in a sandbox, %s: %q", try, got[try])
		}
	}
	// What is written beside what is hidden is written to memory, or it can't be.
	for _, try := range []string{"write=" + at("outside"), "write=" + at("new")} {
		if got[try] != "<nil>" && !strings.HasSuffix(got[try], "read-only file system") {
			t.Errorf("in a sandbox, %s: %q", try, got[try])
		}
	}
	for _, try := range append(allowed, "serve=") {
		if got[try] != "<nil>" {
			t.Errorf("in a sandbox, %s: %q", try, got[try])
		}
	}
	if data, err := os.ReadFile(at("outside")); err != nil || string(data) != "as it was" {
		t.Errorf("outside is %q, %v", data, err)
	}
	if _, err := os.Stat(at("new")); err == nil {
		t.Error("a new file is there")
	}
	if kept, err := os.ReadDir(at("home")); err != nil || len(kept) != 1 {
		t.Errorf("the home holds %v, %v", kept, err)
	}
}

// TestDaemonEnds: what a process started ends with it.
func TestDaemonEnds(t *testing.T) {
	if err := Possible(); err != nil {
		t.Skip(err)
	}
	alive, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	if got := intrude(t, &View{}, theirs, "daemon="); got["daemon="] != "<nil>" {
		t.Fatal(got)
	}
	theirs.Close()
	alive.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := alive.Read(make([]byte, 1)); os.IsTimeout(err) {
		t.Error("something lives on")
	}
}

// TestNoWay: what is not the way in is told.
func TestNoWay(t *testing.T) {
	if err := Possible(); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(filepath.Join(t.TempDir(), "none"))
	cmd.Env, cmd.Err = []string{}, nil
	entry, err := Prepare(cmd, View{})
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _, err = entry.Await()
	if err == nil || !strings.Contains(err.Error(), "no such file or directory") {
		t.Errorf("a program that is not there: %v", err)
	}
	cmd.Wait()
}
