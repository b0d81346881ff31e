package callgraph

import (
	"slices"
	"testing"
)

func TestOnly(t *testing.T) {
	p := loadText(t, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import "sort"

type shape interface{ area() int }

type square struct{}

func (square) area() int { return side() }

var kept func()

func Entry(s shape, list []int) {
	once()
	twice()
	twice()
	other()
	value()
	kept = value
	s.area()
	sort.Slice(list, func(i, j int) bool { return less(list[i], list[j]) })
	go spawned()
	local := func() { inside() }
	local()
}

func once()          {}
func twice()         {}
func elsewhere()     {}
func value()         {}
func side() int      { return 1 }
func less(a, b int) bool { return a < b }
func other()         { elsewhere(); again(1) }
func spawned()       {}
func inside()        { elsewhere() }

func again(n int) {
	if n > 0 {
		again(n - 1)
	}
}

func notReached() { once() }
`)
	root := function(t, p, "Entry")
	for _, test := range []struct {
		in, to       string
		only, enters bool
	}{
		{"Entry", "once", true, true},
		{"Entry", "twice", false, true},
		{"Entry", "value", false, true}, // kept for whoever runs it
		{"other", "elsewhere", false, true},
		{"other", "again", false, true}, // by itself
		{"Entry", "square.area", true, true},
		{"square.area", "side", true, true},
		{"Entry", "spawned", true, false},
		{"inside", "elsewhere", false, true},
	} {
		in, to := function(t, p, test.in), function(t, p, test.to)
		layer, err := p.Layer(in)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(layer.Calls, func(c *Call) bool { return slices.Contains(c.Callees, to) })
		if i < 0 {
			t.Errorf("%s has no call of %s", test.in, test.to)
			continue
		}
		call := layer.Calls[i]
		if got := p.Only(root, in, call, to); got != test.only {
			t.Errorf("%s calls %s: the only way: %v, want %v", test.in, test.to, got, test.only)
		}
		if got := call.Enters(to); got != test.enters {
			t.Errorf("%s calls %s: on its goroutine: %v, want %v", test.in, test.to, got, test.enters)
		}
	}
}

func function(t *testing.T, p *Program, name string) *Function {
	t.Helper()
	fn, err := p.Func(name)
	if err != nil {
		t.Fatal(err)
	}
	return fn
}
