//go:build unix

package outside

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("file"), []byte("four"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", at("link")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := File(at("file"), 4); err != nil || string(data) != "four" {
		t.Errorf("%q, %v", data, err)
	}
	for _, name := range []string{at("link"), at("pipe"), at("none"), dir, "/dev/zero"} {
		if _, err := File(name, 4); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if data, err := Named(at("link"), 4); err != nil || string(data) != "four" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := Named("/dev/zero", 1<<20); err == nil {
		t.Error("what never ends is read")
	}
	if _, err := File(at("file"), 3); err == nil {
		t.Error("a file above the bound is read")
	}
}

func TestInflate(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(make([]byte, 1<<20))
	z.Close()
	if data, err := Inflate(b.Bytes(), 1<<20); err != nil || len(data) != 1<<20 {
		t.Errorf("%d, %v", len(data), err)
	}
	if _, err := Inflate(b.Bytes(), 1<<20-1); err == nil {
		t.Error("more than the bound comes out")
	}
	if _, err := Inflate(b.Bytes()[:b.Len()/2], 1<<20); err == nil {
		t.Error("half of it is taken")
	}
	if data, err := Inflate([]byte("plain"), 1); err != nil || string(data) != "plain" {
		t.Errorf("%q, %v", data, err)
	}
}
