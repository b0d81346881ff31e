package workload

import (
	"slices"
	"strings"
)

// Best gives at most n of what ran the function, of different benchmarks and tests as far
// as there are: the sub-benchmarks of one are more of the same. They are indices of Ran.
func (c *Choice) Best(n int) []int {
	var best, same []int
	seen := make(map[string]bool)
	for i, r := range c.Ran {
		function, _, _ := strings.Cut(r.Name, "/")
		if key := r.Package + "." + function; !seen[key] {
			seen[key] = true
			best = append(best, i)
		} else {
			same = append(same, i)
		}
	}
	best = append(best, same...)
	best = best[:min(len(best), n)]
	slices.Sort(best)
	return best
}
