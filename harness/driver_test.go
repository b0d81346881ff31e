package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadDriver(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ name, content, err string }{
		{"good_test.go", "package x\n", ""},
		{"named.go", "package x\n", "ends in _test.go"},
		{"broken_test.go", "package\n", "expected 'IDENT'"},
		{"missing_test.go", "", "no such file"},
	} {
		file := filepath.Join(dir, test.name)
		if test.content != "" {
			if err := os.WriteFile(file, []byte(test.content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		content, err := ReadDriver(file)
		switch {
		case test.err == "" && (err != nil || string(content) != test.content):
			t.Errorf("%s: %q, %v", test.name, content, err)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err) || !strings.Contains(err.Error(), "--driver")):
			t.Errorf("%s: error %v, want --driver and %q", test.name, err, test.err)
		}
	}
}
