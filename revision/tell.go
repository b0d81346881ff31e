package revision

import (
	"fmt"
	"maps"
	"slices"
)

// Carried says which end of a pair lacks the workload, and names the files that were
// carried to it; "" if both have it, or neither has.
func (s *Set) Carried() (label string, files []string) {
	p := s.Pair()
	switch good, bad := p.Good.code.added, p.Bad.code.added; {
	case len(good) > 0 && len(bad) == 0:
		return p.Good.Label, slices.Sorted(maps.Keys(good))
	case len(bad) > 0 && len(good) == 0:
		return p.Bad.Label, slices.Sorted(maps.Keys(bad))
	}
	return "", nil
}

// Notes are what to tell the reader of a report.
func (s *Set) Notes() []string {
	s.work.mu.Lock()
	defer s.work.mu.Unlock()
	return slices.Clone(s.work.notes)
}

// Commands built the binaries that the set gave, each once.
func (s *Set) Commands() []string {
	s.work.mu.Lock()
	defer s.work.mu.Unlock()
	return slices.Clone(s.work.commands)
}

// Writes tells of a workload that writes into its own tree: what it leaves
// there is what its next process finds.
func (s *Set) Writes() []string {
	var list []string
	for _, r := range s.all {
		if changed, err := r.Changed(); err == nil && len(changed) > 0 {
			list = append(list, fmt.Sprintf("the workload of %s writes into its own source tree (%s): its processes may not be alike", r.Label, changed[0]))
		}
	}
	return list
}
