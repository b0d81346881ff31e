package prove

import (
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/revert"
)

// A function comes apart into hunks where one of them does without what the whole needs,
// and stays whole where all of them drag it along.
func TestRefine(t *testing.T) {
	function := func(name string) Element {
		fn := &callgraph.Function{Name: name}
		return Element{Suspects: []change.Suspect{{Name: name, Good: fn, Bad: fn, Kind: change.Func}}}
	}
	for _, c := range []struct {
		name  string
		needs map[string][]string
		want  []string
	}{
		{"all drag", map[string][]string{"size": {"append"}, "size#1": {"size#2", "append"}, "size#2": {"append"}}, []string{"size", "append", "other"}},
		{"one does without", map[string][]string{"size": {"append"}, "size#1": {"append"}}, []string{"size#1", "size#2", "append", "other"}},
		{"none dragged", map[string][]string{"size#1": {"append"}}, []string{"size", "append", "other"}},
	} {
		compose := func(all []Element, set []int) (code Code, with []int, err error) {
			for _, i := range set {
				with = append(with, i)
				for _, name := range c.needs[all[i].Name()] {
					if k := slices.IndexFunc(all, func(e Element) bool { return e.Name() == name }); k >= 0 {
						with = append(with, k)
					}
				}
			}
			return code, with, nil
		}
		lab := New(Lab{
			Whole:    &compare.Whole{Sampler: &compare.Sampler{Log: &compare.Log{}}},
			Elements: []Element{function("size"), function("append"), function("other")},
			Composer: Composer{Compose: compose, Hunks: func(s change.Suspect) ([]revert.Hunk, error) {
				return []revert.Hunk{{Of: s}, {Of: s, Index: 1}}, nil
			}},
		})
		lab.Refine()
		var got []string
		for _, e := range lab.Elements {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
