package harness

import (
	"os"
	"time"
)

// Usage is what the kernel counted of a process. What it doesn't tell is zero.
type Usage struct {
	CPU         time.Duration // user and system time, that of its own children included
	Waited      time.Duration // for which its threads were ready to run and had no processor; of benchmarks only
	Involuntary int64         // context switches that it didn't ask for
	Peak        int64         // bytes of memory that it had in use at most; of tests and programs only
	Started     bool          // it waited for a process that it had started; only Linux tells
}

// Disturbance is what else the machine did while a pair, or a round of more, ran. It
// is of all its processes and not of each: the slower side runs longer and meets more of
// it, so a rule that saw the sides would prefer the faster one. What the system doesn't
// tell is zero.
type Disturbance struct {
	Usage
	Delay   time.Duration // for which something on the machine, pinpoint itself included, waited for a processor
	Foreign time.Duration // CPU time that others took, on all processors, pinpoint itself among them
	Stolen  time.Duration // CPU time that the hypervisor gave to other guests
	// Parallel is whether the benchmark runs on all processors by itself.
	Parallel bool
}

func (u Usage) plus(o Usage) Usage {
	return Usage{CPU: u.CPU + o.CPU, Waited: u.Waited + o.Waited, Involuntary: u.Involuntary + o.Involuntary}
}

// Plus is what is counted of two pairs, or of two series of them.
func (d Disturbance) Plus(o Disturbance) Disturbance {
	d.Usage = d.Usage.plus(o.Usage)
	d.Delay += o.Delay
	d.Foreign += o.Foreign
	d.Stolen += o.Stolen
	d.Parallel = d.Parallel || o.Parallel
	return d
}

// Rate is the CPU time that was lost to the pair, per CPU time of the pair: what
// was stolen.
//
// Of all that is counted this alone told which pairs would be off when one binary
// was held against itself on a virtual machine that others used: its rank
// correlation with how far the ratio of a pair was off was 0.30 (sorting) and
// 0.45 (decoding JSON), that of the others from -0.64 to 0.11. Turns make what
// other processes do the same for both sides; what a neighbour does, they can't.
//
// What others took counts too for a parallel benchmark: where it has to share
// its processors, it waits less for its own locks. On a machine in heavy use, a
// regression by a lock of 2.0x to 2.6x came out at 1.1x to 1.3x in most pairs.
func (d Disturbance) Rate() float64 {
	if d.CPU <= 0 {
		return 0
	}
	lost := d.Stolen
	if d.Parallel {
		lost += d.Foreign
	}
	return float64(lost) / float64(d.CPU)
}

// disturbed is the rate from which on a pair is run again: a tenth. It was
// fixed after what is told at Rate, in which every second to tenth pair passed it.
const disturbed = 0.1

// usageOf is what the kernel has counted of a process that was waited for.
func usageOf(state *os.ProcessState) Usage {
	if state == nil {
		return Usage{}
	}
	return Usage{CPU: state.UserTime() + state.SystemTime(), Involuntary: switches(state)}
}
