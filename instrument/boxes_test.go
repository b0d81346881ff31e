package instrument

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every function that allocates for a conversion is hooked, once, and only
// inserted to.
func TestBoxHook(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(rootOfGo(t), "src", "runtime", "iface.go"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := boxHook(src)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for class := range BoxClasses {
		text := []byte("pinpointBox(" + string(rune('0'+class)) + "); ")
		calls += bytes.Count(got, text)
		got = bytes.ReplaceAll(got, text, nil)
	}
	if calls != len(boxFunctions) {
		t.Errorf("%d calls, want %d", calls, len(boxFunctions))
	}
	if !bytes.Equal(got, src) {
		t.Error("something else has changed")
	}
	for _, c := range []struct{ old, new, want string }{
		{"func convT32(", "func convert32(", "convT32"},
		{"x = mallocgc(2,", "x = allocate(2,", "convT16"},
	} {
		changed := strings.Replace(string(src), c.old, c.new, 1)
		if changed == string(src) {
			t.Fatalf("iface.go has no %q", c.old)
		}
		if _, err := boxHook([]byte(changed)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("without %q: %v", c.old, err)
		}
	}
}
