package callgraph

import (
	"maps"
	"slices"
	"testing"
)

const dataModule = `-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

const rounds = 3

var table = []int{1, 2}

type pool[T any] struct{ free []T }

type unused int

func local(n int) int {
	if n > 0 {
		type args struct{ a int }
		return args{n}.a
	}
	type args struct{ b string }
	return len(args{"b"}.b)
}

func user() int {
	var p pool[int]
	return rounds + table[0] + len(p.free)
}
`

func TestData(t *testing.T) {
	p := loadText(t, dataModule)
	fn, err := p.Func("user")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"example.com/m.pool", "example.com/m.rounds", "example.com/m.table"}
	if got := slices.Sorted(maps.Keys(p.Data(fn))); !slices.Equal(got, want) {
		t.Errorf("user refers to %v, want %v", got, want)
	}
	if fn, err = p.Func("local"); err != nil {
		t.Fatal(err)
	}
	if data := p.Data(fn); len(data) > 0 {
		t.Errorf("local refers to %v, which is its own", data)
	}
}

// Two types of one name are two lines of the print, whichever comes first.
func TestFingerprintOfLocalTypes(t *testing.T) {
	p := loadText(t, dataModule)
	fn, err := p.Func("local")
	if err != nil {
		t.Fatal(err)
	}
	first := p.FingerprintDeep(fn)
	for range 40 {
		if print := p.FingerprintDeep(fn); print != first {
			t.Fatal("one function has two prints")
		}
	}
}
