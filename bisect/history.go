package bisect

import (
	"cmp"
	"fmt"
	"slices"
)

// A Commit is one commit of a history that is searched.
type Commit struct {
	Hash    string
	Parents []string // those outside the history are taken to be good
	// Passive commits only lead from one to another: they are neither counted nor
	// tested. Where the search is limited to some paths, a merge may be one.
	Passive bool
}

// A History is the commits from which good can't be reached, and bad can: a
// directed graph without cycles.
type History struct {
	commits []Commit
	index   map[string]int
	parents [][]int // of those within the history
}

// NewHistory takes the commits in any order. An error says that a commit comes
// twice or that there is a cycle.
func NewHistory(commits []Commit) (*History, error) {
	ordered, err := parentsFirst(commits)
	if err != nil {
		return nil, err
	}
	h := &History{commits: ordered, index: make(map[string]int, len(ordered))}
	for i, c := range ordered {
		h.index[c.Hash] = i
		var ps []int
		for _, p := range c.Parents {
			if j, ok := h.index[p]; ok && !slices.Contains(ps, j) {
				ps = append(ps, j)
			}
		}
		h.parents = append(h.parents, ps)
	}
	return h, nil
}

// Len is the number of commits that can be tested.
func (h *History) Len() int {
	n := 0
	for _, c := range h.commits {
		if !c.Passive {
			n++
		}
	}
	return n
}

// Has says whether a commit is one of those that can be tested.
func (h *History) Has(commit string) bool {
	i, ok := h.index[commit]
	return ok && !h.commits[i].Passive
}

// parentsFirst orders commits so that parents come before their children, and
// otherwise as they are given.
func parentsFirst(commits []Commit) ([]Commit, error) {
	at := make(map[string]int, len(commits))
	for i, c := range commits {
		if _, twice := at[c.Hash]; twice {
			return nil, fmt.Errorf("the commit %s is listed twice", c.Hash)
		}
		at[c.Hash] = i
	}
	children := make([][]int, len(commits))
	waiting := make([]int, len(commits))
	var ready []int
	for i, c := range commits {
		for _, p := range c.Parents {
			if j, ok := at[p]; ok {
				children[j] = append(children[j], i)
				waiting[i]++
			}
		}
		if waiting[i] == 0 {
			ready = append(ready, i)
		}
	}
	ordered := make([]Commit, 0, len(commits))
	for ; len(ready) > 0; ready = ready[1:] {
		ordered = append(ordered, commits[ready[0]])
		for _, child := range children[ready[0]] {
			if waiting[child]--; waiting[child] == 0 {
				ready = append(ready, child)
			}
		}
	}
	if len(ordered) < len(commits) {
		return nil, fmt.Errorf("%d commits are ancestors of themselves", len(commits)-len(ordered))
	}
	return ordered, nil
}

// A set is the commits that are left, by index.
type set []bool

func (h *History) all() set {
	s := make(set, len(h.commits))
	for i := range s {
		s[i] = true
	}
	return s
}

// reachable marks what can be reached from a commit within s, itself included.
func (h *History) reachable(s set, from int) set {
	seen := make(set, len(s))
	if !s[from] {
		return seen
	}
	seen[from] = true
	for todo := []int{from}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range h.parents[i] {
			if s[p] && !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	return seen
}

// without is s less what can be reached from a good commit.
func (h *History) without(s set, good int) set {
	left := slices.Clone(s)
	for i, in := range h.reachable(s, good) {
		left[i] = left[i] && !in
	}
	return left
}

// tested lists the commits of s that can be tested, parents before children.
func (h *History) tested(s set) []int {
	var list []int
	for i, in := range s {
		if in && !h.commits[i].Passive {
			list = append(list, i)
		}
	}
	return list
}

// ranked lists the commits of s that can be tested, those first that split it most
// evenly: into what they can reach, which is ruled out if they are good, and the
// rest, which is if they are bad. Of equal ones the older comes first.
func (h *History) ranked(s set) []int {
	list := h.tested(s)
	weight := h.weights(s)
	distance := func(i int) int { return min(weight[i], len(list)-weight[i]) }
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(distance(b), distance(a)) })
	return list
}

// weights counts for each commit of s how many that can be tested it reaches in s,
// itself included. A commit with one parent reaches one more than that; where
// there are several, they share ancestors, which only a walk counts once.
func (h *History) weights(s set) []int {
	weight := make([]int, len(s))
	for i, in := range s {
		if !in {
			continue
		}
		var within []int
		for _, p := range h.parents[i] {
			if s[p] {
				within = append(within, p)
			}
		}
		switch len(within) {
		case 0, 1:
			if len(within) == 1 {
				weight[i] = weight[within[0]]
			}
			if !h.commits[i].Passive {
				weight[i]++
			}
		default:
			weight[i] = len(h.tested(h.reachable(s, i)))
		}
	}
	return weight
}
