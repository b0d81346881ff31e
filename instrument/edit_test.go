package instrument

import (
	"strings"
	"testing"
)

func TestBuffer(t *testing.T) {
	b := buffer{old: []byte("L: f(g(x))y")}
	b.around(3, 10, rankStmt, "<", ">")
	b.around(5, 9, rankStop, "{", "}")
	b.around(5, 9, rankRestart, "(", ")")
	b.around(3, 10, rankStop, "[", "]")
	b.around(10, 11, rankStmt, "!", "")
	out, ins, err := b.bytes()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(out), "L: <[f(({g(x)}))]>!y"; got != want {
		t.Errorf("edited to %q, want %q", got, want)
	}
	if got := string(strip(out, ins)); got != string(b.old) {
		t.Errorf("stripped to %q, want %q", got, b.old)
	}
}

func TestBufferErrors(t *testing.T) {
	for _, test := range []struct {
		want  string
		edits []edit
	}{
		{`overlapping edits: [0,3)->"a"..."", [1,4)->"b"..."c"`, []edit{{1, 4, 0, "b", "c"}, {0, 3, 0, "a", ""}}},
		{`conflicting edits: [1,2)->"a"..."", [1,2)->"b"..."c"`, []edit{{1, 2, 0, "a", ""}, {1, 2, 0, "b", "c"}}},
		{`invalid edit [1,1)`, []edit{{1, 1, 0, "", ""}}},
		{`invalid edit [3,9)`, []edit{{3, 9, 0, "", ""}}},
	} {
		b := buffer{old: []byte("01234"), q: test.edits}
		if _, _, err := b.bytes(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want %s", err, test.want)
		}
	}
}

// strip returns the edited file without the insertions.
func strip(edited []byte, ins []insertion) []byte {
	var old []byte
	offset := 0
	for _, in := range ins {
		old = append(old, edited[offset:in.offset]...)
		offset = in.offset + len(in.text)
	}
	return append(old, edited[offset:]...)
}
