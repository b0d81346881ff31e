package harness

import "slices"

// beginners are the sides that begin n rounds. What n leaves when it is divided by the
// sides goes to those that began least rounds so far, which of equals is drawn.
func (c *Campaign) beginners(n int) []int {
	sides := len(c.Binaries)
	begin := make([]int, 0, n)
	for side := range sides {
		begin = append(begin, slices.Repeat([]int{side}, n/sides)...)
	}
	rest := c.Rand.Perm(sides)
	slices.SortStableFunc(rest, func(a, b int) int { return c.began(a) - c.began(b) })
	begin = append(begin, rest[:n%sides]...)
	c.Rand.Shuffle(n, func(i, j int) { begin[i], begin[j] = begin[j], begin[i] })
	return begin
}

// circle is the order of a round that a side begins: of three sides and more forward in
// one such round and backward in the next, since each begins with the caches as the one
// before it left them.
func (c *Campaign) circle(first int) []int {
	sides, step := len(c.Binaries), 1
	if c.began(first)%2 != 0 {
		step = sides - 1
	}
	order := make([]int, sides)
	for i := range order {
		order[i] = (first + i*step) % sides
	}
	return order
}

func (c *Campaign) began(side int) int {
	if c.firsts == nil {
		return 0
	}
	return c.firsts[side]
}

// count counts a round that is done.
func (c *Campaign) count(first int) {
	if c.firsts == nil {
		c.firsts = make([]int, len(c.Binaries))
	}
	c.firsts[first]++
}
