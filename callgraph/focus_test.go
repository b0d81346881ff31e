package callgraph

import (
	"strings"
	"testing"
)

const focusModule = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

type Handler interface{ Handle() }

type Default struct{}

func (Default) Handle() {}

func Serve(h Handler, f func()) {
	h.Handle()
	f()
}

func Own() { Serve(Default{}, func() {}) }
-- m_test.go --
package m

import "testing"

type fast struct{}

func (fast) Handle() {}

type slow struct{}

func (*slow) Handle() {}

func BenchmarkFast(b *testing.B) { helper(fast{}) }

func helper(h Handler) { Serve(h, func() {}) }

func TestSlow(t *testing.T) { Serve(&slow{}, func() {}) }

var _ = Handler(global)

var global Handler = fromInit{}

type fromInit struct{}

func (fromInit) Handle() {}

func init() { Serve(global, nil) }
`

// TestFocus lists the candidates with all tests in view and with one benchmark.
func TestFocus(t *testing.T) {
	t.Parallel()
	p := loadText(t, focusModule)
	bench, _ := p.Func("BenchmarkFast")
	serve, _ := p.Func("Serve")
	tests := []struct {
		focus *Function
		want  string
	}{
		{nil, "h.Handle() (*slow).Handle Default.Handle fast.Handle fromInit.Handle f() Own.func1 TestSlow.func1 helper.func1"},
		{bench, "h.Handle() Default.Handle fast.Handle fromInit.Handle f() Own.func1 helper.func1"},
		{nil, "h.Handle() (*slow).Handle Default.Handle fast.Handle fromInit.Handle f() Own.func1 TestSlow.func1 helper.func1"},
	}
	for _, test := range tests {
		p.Focus(test.focus)
		layer, err := p.Layer(serve)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, call := range layer.Calls {
			got = append(got, call.Text)
			for _, callee := range call.Callees {
				got = append(got, brief(p, callee))
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("focus %s:\n%s\nwant\n%s", nameOf(test.focus), text, test.want)
		}
	}
}
