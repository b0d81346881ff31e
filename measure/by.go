package measure

import (
	"fmt"
	"slices"
	"strings"
)

// alternative tells what a scenario is one of: what its alternatives have in common, as a
// name of Go's benchmark format, and which of them it is. By revisions, which is the zero
// value of By, that is the revision; by a key, as alg of BenchmarkSort/alg=heap/n=10, its
// value, and the rest of the name is what they have in common. ok is false for a scenario
// that has no such key.
func (r *Result) alternative(s Scenario) (common, which string, ok bool) {
	if r.By == "" {
		return s.Name(), s.Rev.Name, true
	}
	key := "/" + r.By + "="
	name := s.Name()
	if s.CPUs != 1 { // package testing's number of processors is no part of a value
		name = strings.TrimSuffix(name, fmt.Sprintf("-%d", s.CPUs))
	}
	before, rest, found := strings.Cut(name, key)
	if !found {
		return name, "", false
	}
	which, after, _ := strings.Cut(rest, "/")
	if after != "" {
		after = "/" + after
	}
	return before + after + s.Name()[len(name):], which, true
}

// alternatives are the names of all that are held against each other, in their order.
func (r *Result) alternatives() []string {
	var names []string
	for _, s := range r.Scenarios {
		if _, which, ok := r.alternative(s); ok && !slices.Contains(names, which) {
			names = append(names, which)
		}
	}
	return names
}

// checkBy sees that there is something to hold against each other.
func (r *Result) checkBy() error {
	if r.By == "" {
		return nil
	}
	if len(r.revisions()) > 1 {
		return fmt.Errorf("by %s, the benchmarks of one revision are compared, and here are %d", r.By, len(r.revisions()))
	}
	if values := r.alternatives(); len(values) < 2 {
		return fmt.Errorf("of the benchmarks that match, %d values of %s are to be seen, as in BenchmarkX/%s=a: two are needed", len(values), r.By, r.By)
	}
	return nil
}
