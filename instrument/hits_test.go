package instrument

import (
	"bytes"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ast/inspector"
)

const hitsProgram = `package main

import "fmt"

type inner struct{ a [2]int }

type T struct {
	n    int
	next *T
	in   inner
	ptr  *int
	list []int
}

func (t *T) inc() { t.n++ }

func get(t T) int { return t.n }

func leaves() {
	defer func() { recover() }()
	panic(1)
}

func all(t *T) int {
	t.n = 1          // write
	t.n += 2         // both
	t.inc()          // both, in inc
	x := t.n + get(*t) // two reads
	p := &t.n        // taken
	*p = 9
	t.next = &T{n: 5}     // write of next; a literal is none
	t.next.n = t.next.n   // two reads of next, a write and a read of n
	t.in.a[1] = 3         // write of in
	x += t.in.a[0]        // read of in
	t.list = append(t.list, 1) // write and read of list
	t.list[0] = 2              // read of list
	_ = len(t.list)            // read of list
	for t.n = range 3 {        // three writes
	}
	v := T{}
	v.n, x = x, v.n // write and read
	_ = v
	return x
}

func main() {
	var f func(*T) int = all
	fmt.Println(f(&T{}))
	for i := range 3 {
		leaves()
		if i == 1 {
			continue
		}
		defer leaves()
	}
}
`

// hitsFile loads the program.
func hitsFile(t *testing.T) (dir string, f File) {
	dir = t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "main.go"), []byte(hitsProgram))
	return dir, load(t, dir, nil, ".")["example.com/m"][0]
}

// hits runs the program with a file replaced, and gives what n probes counted. It
// prints what it did, and no line has moved.
func hits(t *testing.T, dir string, f File, out []byte, n int) []int64 {
	t.Helper()
	if bytes.Count(out, []byte("\n")) != strings.Count(hitsProgram, "\n") {
		t.Errorf("lines have moved:\n%s", out)
	}
	board := allOn(t, n)
	got := run(t, build(t, dir, "-overlay="+overlayOf(t, map[string][]byte{f.Name: out})), board.File())
	if got != run(t, build(t, dir), nil) {
		t.Errorf("printed %q", got)
	}
	var calls []int64
	for _, p := range board.Totals() {
		calls = append(calls, p.Calls)
	}
	return calls
}

func wantHits(t *testing.T, got []int64, want ...int64) {
	t.Helper()
	for i, n := range want {
		if got[i] != n {
			t.Errorf("probe %d counted %d, want %d", i, got[i], n)
		}
	}
}

func TestCountCalls(t *testing.T) {
	dir, f := hitsFile(t)
	ids := map[string]int{"leaves": 0, "inc": 1, "all": 2}
	var bodies []BodyHit
	for _, d := range f.Syntax.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			if id, ok := ids[d.Name.Name]; ok {
				bodies = append(bodies, BodyHit{ID: id, Func: d})
			}
		}
	}
	var calls []CallHit
	for cur := range inspector.New([]*ast.File{f.Syntax}).Root().Preorder((*ast.CallExpr)(nil)) {
		c := cur.Node().(*ast.CallExpr)
		if id := calleeIdent(c.Fun); id != nil && (id.Name == "leaves" || id.Name == "Println") {
			calls = append(calls, CallHit{3, c})
		}
	}
	out, refused, err := CountCalls(f, bodies, calls)
	if err != nil || len(refused) > 0 {
		t.Fatal(err, refused)
	}
	// Entries count that end in a panic; a deferred call counts where it is deferred.
	wantHits(t, hits(t, dir, f, out, 4), 5, 1, 1, 6)
}

func TestCountField(t *testing.T) {
	dir, f := hitsFile(t)
	str := f.Pkg.Scope().Lookup("T").Type().Underlying().(*types.Struct)
	for i, want := range [][2]int64{
		{6, 8}, // n: 1 += , 1 ++, 2 reads, 1 through next, 1 of v; writes beside those: =, next, 3 of range, v
		{2, 1}, // next
		{1, 1}, // in
		{0, 0}, // ptr
		{3, 1}, // list
	} {
		out, taken, refused, err := CountField(f, str.Field(i), 0, 1)
		if err != nil || len(refused) > 0 {
			t.Fatal(err, refused)
		}
		if (len(taken) > 0) != (i == 0) {
			t.Errorf("%s: addresses taken at %v", str.Field(i).Name(), taken)
		}
		wantHits(t, hits(t, dir, f, out, 2), want[:]...)
	}
}

func TestCountStatements(t *testing.T) {
	dir, f := hitsFile(t)
	out, err := CountStatements(t.Context(), "go", f.Name, f.Src, 0)
	if err != nil {
		t.Fatal(err)
	}
	// main 3, its loop 3 * 2 + 1 continue + 2 defers; 5 * leaves 2 and its recover
	// 1; all 18; inc 1, get 1.
	got := hits(t, dir, f, out, 1)[0]
	if got != 3+6+1+2+15+18+1+1 {
		t.Errorf("%d statements", got)
	}
}

// A file without a statement is left as it is: an import that nothing uses does not compile.
func TestCountStatementsOfNone(t *testing.T) {
	for _, src := range []string{"package p\n", "package p\n\ntype T struct{ n int }\n\nvar x = 1\n"} {
		name := filepath.Join(t.TempDir(), "p.go")
		if err := os.WriteFile(name, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := CountStatements(t.Context(), "go", name, []byte(src), 0)
		if err != nil || string(got) != src {
			t.Errorf("%q became %q, %v", src, got, err)
		}
	}
}
