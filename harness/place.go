package harness

import "runtime"

// linked are the binaries of the next round. One that runs again keeps its own.
func (c *Campaign) linked() ([]Binary, int) {
	if len(c.Layouts) == 0 {
		return c.Binaries, 0
	}
	i := c.ran % len(c.Layouts)
	return c.Layouts[i], i + 1
}

// duet reports whether the processes of a round run at the same time.
func (c *Campaign) duet() bool { return c.Duet && len(c.Binaries) <= runtime.NumCPU() }

// nextPins are the processors of the next round by side, counted from 1; 0 is all. In a
// duet each process has one and the next time another. With GOMAXPROCS=1, all
// processes run on the same one, and rounds go round them all, since each has
// neighbours of its own.
//
// One binary against itself, decoding JSON in turns: the log ratio varied by 0.082
// on two processors, 0.085 with GOMAXPROCS=1 alone and 0.025 with both on one
// (24 pairs each); the mean's by 0.041, 0.069 and 0.046. Sorting, which doesn't
// allocate, gained nothing. So it is not the default: a wait for other goroutines
// may vanish there, and with it the regression.
func (c *Campaign) nextPins() []int {
	c.runs++
	sides := len(c.Binaries)
	pins := make([]int, sides)
	for side := range pins {
		switch {
		case c.duet():
			pins[side] = 1 + (c.runs+side)%sides
		case c.Workload.CPUs == 1:
			pins[side] = c.runs
		}
	}
	return pins
}
