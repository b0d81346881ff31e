package instrument

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestCgoSource probes a file that imports C before cgo has seen it.
func TestCgoSource(t *testing.T) {
	im := newImports(t)
	in, err := im.check([]byte(`package main

// static int twice(int x) { return 2 * x; }
import "C"
import "fmt"

func id(x int) int { return x }
func c(x int) C.int { return C.int(id(x)) }

func main() {
	x, err := C.twice(c(3))
	fmt.Println(int(x), err, id(int(C.twice(C.int(id(4))))))
}
`))
	if err != nil {
		t.Fatal(err)
	}
	out, asked, refused, err := All([]File{in}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range refused {
		got = append(got, r.Text+": "+r.Reason)
	}
	want := []string{"C.int(id(x)): " + reasonC, "C.twice(c(3)): " + reasonC, "C.twice(C.int(id(4))): " + reasonC, "C.int(id(4)): " + reasonC}
	if !slices.Equal(got, want) {
		t.Errorf("refused %q, want %q", got, want)
	}
	if _, err := exec.LookPath("gcc"); err != nil || testing.Short() {
		return
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "main.go"), in.Src)
	changed := map[string][]byte{filepath.Join(dir, "main.go"): out[in.Name]}
	board := allOn(t, len(asked)+1)
	if got, want := run(t, build(t, dir, "-overlay="+overlayOf(t, changed)), board.File()), "6 <nil> 8\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	for _, p := range asked {
		n := int64(1)
		if slices.ContainsFunc(refused, func(r Refusal) bool { return r.ID == p.ID }) {
			n = 0
		}
		if got := board.Totals()[p.ID].Calls; got != n {
			t.Errorf("%s counted %d times, want %d", describe([]File{in}, p), got, n)
		}
	}
}
