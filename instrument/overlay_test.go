package instrument

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestAged: the go command indexes a package of these files also after the clock was set
// back by years, and knows one from the next by its time.
func TestAged(t *testing.T) {
	now, last := time.Now(), time.Time{}
	for range 3 {
		name := filepath.Join(t.TempDir(), "p.go")
		if err := writeAged(name, []byte("package p\n")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if at := info.ModTime(); at.After(now.AddDate(-9, 0, 0)) || at.Equal(last) {
			t.Errorf("a file of %v, after one of %v", at, last)
		}
		last = info.ModTime()
	}
}
