package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A write that fails leaves what was there, and nothing beside it.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "report.json")
	text := func(s string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			io.WriteString(w, s)
			return err
		}
	}
	if err := Save(name, text("first", nil)); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no more")
	if err := Save(name, text("sec", broken)); !errors.Is(err, broken) || !strings.Contains(err.Error(), name) {
		t.Errorf("error %v, want %v of %s", err, broken, name)
	}
	data, err := os.ReadFile(name)
	if err != nil || string(data) != "first" {
		t.Errorf("the file has %q, %v", data, err)
	}
	if st, err := os.Stat(name); err != nil || st.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left %v", entries)
	}
	if err := Save(filepath.Join(dir, "none", "x"), text("", nil)); err == nil {
		t.Error("there is no such directory")
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	if err := JSON(&b, map[string]string{"call": "a<b>(c)"}); err != nil || b.String() != "{\n  \"call\": \"a<b>(c)\"\n}\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
