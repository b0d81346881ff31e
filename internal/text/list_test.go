package text

import (
	"strings"
	"testing"
)

func TestFirst(t *testing.T) {
	list := []string{"a", "b", "c", "d"}
	for most, want := range map[int][2]string{
		1: {"a/and 3 more", "a and 3 more"}, 3: {"a/b/c/and 1 more", "a, b, c and 1 more"}, 4: {"a/b/c/d", "a, b, c, d"}, 9: {"a/b/c/d", "a, b, c, d"},
	} {
		if got := strings.Join(First(list, most), "/"); got != want[0] {
			t.Errorf("the first %d: %s", most, got)
		}
		if got := Join(list, ", ", most); got != want[1] {
			t.Errorf("%d in a line: %s", most, got)
		}
	}
	if list[1] != "b" {
		t.Error("the list was written to")
	}
}
