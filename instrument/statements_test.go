package instrument

import (
	"go/ast"
	"path/filepath"
	"slices"
	"testing"
)

const statementsProgram = `package main

import "fmt"

func work(xs []int) (n int, err error) {
	sum := 0                                // 0
	for i, x := range xs {                  // 1: left by a return
		if x < 0 {
			return i, nil
		}
		func() { sum++; return }()
	}
	var y int                               // 2
	switch {                                // 3
	case sum > 3:
		y = 1
	case sum > 2:
		return 7, nil
	default:
		for range 2 {
			continue
		}
	}
outer:                                          // 4
	for {
		for {
			break outer
		}
	}
	if y > 0 {                              // 5: what ends the function
		return sum, nil
	} else {
		return -1, nil
	}
}

func jumps(n int) int {
again:
	n--
	if n > 0 {
		goto again
	}
	return n
}

func main() {
	for _, xs := range [][]int{{1, 2, 3, 4}, {1, -1}, {1, 2, 3}, {1}, nil} {
		fmt.Println(work(xs))
	}
	fmt.Println(jumps(3))
}
`

// Each statement is counted as often as it is entered, however it is left, and
// loops as often as they go round.
func TestStatements(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "main.go"), []byte(statementsProgram))
	f := load(t, dir, nil, ".")["example.com/m"][0]
	work, jumps := f.Syntax.Decls[1].(*ast.FuncDecl), f.Syntax.Decls[2].(*ast.FuncDecl)
	const rounds = 10
	out, refused, err := Statements(f, work, statementProbes(work, rounds))
	if err != nil || len(refused) > 0 {
		t.Fatal(err, refused)
	}
	board := allOn(t, 2*rounds)
	got := run(t, build(t, dir, "-overlay="+overlayOf(t, map[string][]byte{f.Name: out})), board.File())
	if got != run(t, build(t, dir), nil) {
		t.Errorf("printed %q", got)
	}
	var calls []int64
	for _, p := range board.Totals() {
		calls = append(calls, p.Calls)
	}
	want := make([]int64, 2*rounds)
	copy(want, []int64{5, 5, 4, 4, 3, 3})
	want[rounds+1], want[rounds+4] = 4+2+3+1, 3
	if !slices.Equal(calls, want) {
		t.Errorf("counted %v, want %v", calls, want)
	}

	_, refused, err = Statements(f, jumps, statementProbes(jumps, rounds))
	if err != nil || len(refused) != 3 {
		t.Errorf("%v, refused %v", err, refused)
	}
}

func statementProbes(fn *ast.FuncDecl, rounds int) []StatementProbe {
	var probes []StatementProbe
	for i, s := range fn.Body.List {
		probes = append(probes, StatementProbe{ID: i, Stmt: s, Rounds: rounds + i})
	}
	return probes
}
