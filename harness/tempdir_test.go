package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

func TestTempDir(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	alive, err := NewTempDir()
	if err != nil {
		t.Fatal(err)
	}
	killed, err := NewTempDir()
	if err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(killed.Path, "mod", "pkg")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(inner, "file"), nil, 0o400)
	os.Chmod(inner, 0o500)
	killed.owner.Close() // as the kernel does it
	others := filepath.Join(os.TempDir(), "pinpoint-notes")
	if err := os.Mkdir(others, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(os.TempDir(), "pinpoint-link")
	if err := os.Symlink(others, link); err != nil {
		t.Fatal(err)
	}

	// As long a name, with such a file, that is not made by this package.
	named := filepath.Join(os.TempDir(), "pinpoint-ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if err := os.MkdirAll(filepath.Join(named, ownerFile), 0o700); err != nil {
		t.Fatal(err)
	}
	// One whose process was killed before it had the file, or after.
	empty := filepath.Join(os.TempDir(), "pinpoint-ABCDEFGHIJKLMNOPQRSTUVWX22")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(os.TempDir(), "pinpoint-checkout")
	if err := os.Mkdir(short, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(short, ownerFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}

	next, err := NewTempDir()
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(killed.Path); err != nil || len(entries) != 1 {
		t.Errorf("left of the killed one's are %v, %v", entries, err)
	}
	// Its go command lives on.
	if err := os.MkdirAll(filepath.Join(killed.Path, "go", "go-build1", "b002"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 { // those of two later runs
		d, err := NewTempDir()
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Remove(); err != nil {
			t.Error(err)
		}
	}
	for path, stays := range map[string]bool{
		alive.Path: true, killed.Path: false, empty: false, others: true, link: true, named: true, short: true, next.Path: true,
	} {
		if _, err := os.Lstat(path); (err == nil) != stays {
			t.Errorf("%s: %v; stays: %v", path, err, stays)
		}
	}
	for _, d := range []*TempDir{alive, next} {
		if err := d.Remove(); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(d.Path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", d.Path, err)
		}
	}
}

// A go command goes on in the directory of its killed process, and would make it again.
func TestOrphanEnds(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no portable way to find it")
	}
	t.Setenv("TMPDIR", t.TempDir())
	killed, err := NewTempDir()
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(killed.Path, "go")
	outlives := exec.Command("sh", "-c", `echo; while mkdir -p "$GOTMPDIR/go-build1"; do :; done`)
	outlives.Env = append(os.Environ(), "GOTMPDIR="+work)
	began, err := outlives.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := outlives.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		outlives.Process.Kill()
		outlives.Wait()
	})
	began.Read(make([]byte, 1))
	killed.owner.Close() // as the kernel does it
	next, err := NewTempDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := next.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(killed.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left: %v", killed.Path, err)
	}
	if env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", outlives.Process.Pid)); len(env) > 0 {
		t.Error("it goes on")
	}
}

// One who comes between the making of a directory and its lock takes it for nobody's.
func TestTempDirTakenAway(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := &TempDir{Path: filepath.Join(os.TempDir(), tempPrefix+"x")}
	if err := os.Mkdir(d.Path, 0o700); err != nil {
		t.Fatal(err)
	}
	if ok, err := d.own(); !ok || err != nil {
		t.Fatalf("own: %v, %v", ok, err)
	}
	if err := os.Remove(d.ownerPath()); err != nil {
		t.Fatal(err)
	}
	if there, err := stillThere(d.owner); there || err != nil {
		t.Error("it holds a file that is gone")
	}
	if err := os.WriteFile(d.ownerPath(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if there, err := stillThere(d.owner); there || err != nil {
		t.Error("it holds a file that is another one's")
	}
}
