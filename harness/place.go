package harness

// twins are the binaries of the next pair. One that runs again keeps its own.
func (c *Campaign) twins() (Twins, int) {
	if len(c.Layouts) == 0 {
		return Twins{c.Good, c.Bad}, 0
	}
	i := c.ran % len(c.Layouts)
	return c.Layouts[i], i + 1
}

// nextPins are the processors of the next pair, counted from 1; 0 is all. In a duet
// each process has one and the next time the other. With GOMAXPROCS=1, both
// processes run on the same one, and pairs go round them all, since each has
// neighbours of its own.
//
// One binary against itself, decoding JSON in turns: the log ratio varied by 0.082
// on two processors, 0.085 with GOMAXPROCS=1 alone and 0.025 with both on one
// (24 pairs each); the mean's by 0.041, 0.069 and 0.046. Sorting, which doesn't
// allocate, gained nothing. So it is not the default: a wait for other goroutines
// may vanish there, and with it the regression.
func (c *Campaign) nextPins() (good, bad int) {
	c.runs++
	switch {
	case c.Duet:
		return 1 + c.runs%2, 2 - c.runs%2
	case c.Workload.CPUs == 1:
		return c.runs, c.runs
	}
	return 0, 0
}
