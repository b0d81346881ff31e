package change

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// bodiless is a module whose function work is written in several ways.
func bodiless(work string) string {
	return `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

func Entry(n int) int { return work(n) }
-- generic.go --
package m

func generic(n int) int { return n }
-- other.s --
// so that a function may have no body
` + work
}

// A function that is Go in one revision and something else in the other has a
// counterpart with whatever is known of it, or none; its layer is an error, no crash.
func TestCounterpartWithoutBody(t *testing.T) {
	forms := map[string]string{
		"go":       "-- work.go --\npackage m\n\nfunc work(n int) int { return generic(n) }\n",
		"assembly": "-- work.go --\npackage m\n\nfunc work(n int) int\n-- work.s --\n// here it would be\n",
		"linkname": "-- work.go --\npackage m\n\nimport _ \"unsafe\"\n\n//go:linkname work example.com/m.generic\nfunc work(n int) int\n",
		"variable": "-- work.go --\npackage m\n\nvar work = generic\n",
		"literal":  "-- work.go --\npackage m\n\nvar work = func(n int) int { return n }\n",
		"cgo":      "-- work.go --\npackage m\n\n// int work(int n) { return n; }\nimport \"C\"\n\nfunc work(n int) int { return int(C.work(C.int(n))) }\n",
	}
	load := make(map[string]*callgraph.Program)
	for name, text := range forms {
		load[name] = loadText(t, bodiless(text))
	}
	for good, g := range load {
		for bad, b := range load {
			t.Run(good+" to "+bad, func(t *testing.T) {
				c := Between(g, b)
				for _, s := range c.Suspects() {
					for _, fn := range []*callgraph.Function{s.Good, s.Bad} {
						if fn != nil && fn.Node == nil {
							t.Errorf("%s: %s has no declaration", s.Name, fn.Name)
						}
					}
				}
				for _, side := range []struct {
					from, to *callgraph.Program
					twin     func(*callgraph.Function) (*callgraph.Function, bool)
				}{{g, b, Between(b, g).InGood}, {b, g, c.InGood}} {
					fn := side.from.Lookup("example.com/m.work")
					if fn == nil {
						continue
					}
					twin, ok := side.twin(fn)
					if ok != (twin != nil) {
						t.Errorf("%v, %v", twin, ok)
					}
					if _, err := side.to.Layer(twin); (err == nil) != (twin != nil && twin.HasBody()) {
						t.Errorf("%v: %v", twin, err)
					}
				}
			})
		}
	}
}
