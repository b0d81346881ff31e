package harness

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/pinpoint-go/pinpoint/internal/cache"
	"github.com/pinpoint-go/pinpoint/internal/flock"
)

// A TempDir is a directory below TMPDIR that goes with its process. Where that was
// killed and could not remove it, the next process that makes one does: binaries of a
// search may be gigabytes.
type TempDir struct {
	Path  string
	owner *os.File // locked by flock while the process lives; nil where that can't be
	first bool     // of the process: it looks for those of others
}

const (
	tempPrefix = "pinpoint-"
	ownerFile  = ".pinpoint-owner" // empty
)

// NewTempDir makes a directory, and removes those whose processes are gone.
func NewTempDir() (*TempDir, error) {
	sweep()
	d, err := makeTempDir()
	if err != nil {
		return nil, fmt.Errorf("making a temporary directory: %w", err)
	}
	d.first = true
	return d, nil
}

// makeTempDir makes a directory whose path always has the same length.
func makeTempDir() (*TempDir, error) {
	for {
		d := &TempDir{Path: filepath.Join(os.TempDir(), tempPrefix+rand.Text())}
		if err := os.Mkdir(d.Path, 0o700); err != nil {
			return nil, err
		}
		owned, err := d.own()
		if err != nil {
			d.Remove()
			return nil, err
		}
		if owned {
			return d, nil
		}
		d.Remove()
	}
}

// own locks the directory. It is not ok where another process took it for one that is
// nobody's before there was a lock.
func (d *TempDir) own() (ok bool, err error) {
	d.owner, err = os.OpenFile(d.ownerPath(), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if flock.Lock(d.owner, flock.Alone) != nil {
		// Some file systems have no locks. With something in the file nobody takes the
		// directory for an orphan.
		_, err := d.owner.WriteString("no locks\n")
		d.owner.Close()
		d.owner = nil
		return true, err
	}
	return stillThere(d.owner)
}

func (d *TempDir) ownerPath() string { return filepath.Join(d.Path, ownerFile) }

// Remove removes the directory with all that is in it, and what is left of those whose
// processes are gone.
func (d *TempDir) Remove() error {
	// Killed meanwhile, it leaves one that is somebody's, or is empty: see removeOrphan.
	removeContents(d.Path)
	err := cache.Remove(d.Path)
	if d.owner != nil {
		d.owner.Close()
	}
	if d.first {
		sweep()
	}
	return err
}

// sweep removes this user's directories that no process owns any more. What can't be
// removed stays.
func sweep() {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() && len(e.Name()) == len(tempPrefix+rand.Text()) && strings.HasPrefix(e.Name(), tempPrefix) && mine(e) {
			removeOrphan(filepath.Join(os.TempDir(), e.Name()))
		}
	}
}

// removeContents leaves a directory with nothing but its owner's file.
func removeContents(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != ownerFile {
			cache.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func removeOrphan(dir string) {
	owner, err := os.OpenFile(filepath.Join(dir, ownerFile), os.O_RDWR|flock.NoFollow|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		os.Remove(dir) // where it is empty: somebody was killed before there was the file, or after
	}
	if err != nil {
		return
	}
	defer owner.Close()
	if st, err := owner.Stat(); err != nil || !st.Mode().IsRegular() || st.Size() > 0 {
		return
	}
	if flock.Lock(owner, flock.Alone|flock.DontWait) != nil {
		return
	}
	endOrphans(dir)
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) == 1 {
		cache.Remove(dir)
		return
	}
	// A go command that could not be ended may make directories again: without the
	// owner's file nobody would ever take them for an orphan's. A later look removes that.
	removeContents(dir)
}
