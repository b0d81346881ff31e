package probe

import "unsafe"

// Magic begins a board. Its last byte is the version of the layout.
const Magic = "pinpoint board\x00\x08"

// MaskSize is how many probes can be told apart, and how many bytes their mask
// has.
const MaskSize = 1 << 16

// CostScale is the unit of the costs in a Header: parts of a tick.
const CostScale = 1 << 10

// A Header is the beginning of a board. Sizes and offsets are bytes from the
// beginning of the file. The parent sets the first group before the child
// starts, the child everything else.
type Header struct {
	Magic    [16]byte
	Size     uint64 // of the file
	Probes   uint64 // probes with cells, IDs from zero
	Stripes  uint64 // stripes of cells that belong to one P each
	Capacity uint64 // records that fit
	TextSize uint64 // bytes of text that fit
	Mask     uint64 // offset: Masks masks, each of MaskSize bytes, not zero where a probe is on
	Masks    uint64 // at least one; batches go round them
	Cells    uint64 // offset: Stripes+2 stripes of StripeSize(Probes); the last but one is shared, the last holds what Forget found
	Text     uint64 // offset: text, one after the other
	Log      uint64 // offset: Capacity records of RecordSize(Probes)
	Turn     uint64 // how long a turn is at least, nanoseconds; zero: the process takes none
	Others   uint64 // with how many others it takes turns
	Counters uint64 // on the descriptors behind those of the turns, two at most

	Opened    uint64  // not zero once the child has mapped the board
	Clock     uint64  // one of the clocks below
	Step      uint64  // smallest step between two reads that differ, ticks
	Read      uint64  // cost of one read of the clock, ticks times CostScale
	Inside    uint64  // what a pair adds to its own region, ticks times CostScale
	Outside   uint64  // what it adds to the region around it besides, ticks times CostScale
	First     Instant // when the board was opened
	Early     Instant // some time after that
	Last      Instant // when the last record was written; zero if none was
	TextUsed  uint64  // bytes
	Written   uint64  // records, advanced when one is complete
	Lost      uint64  // records or text that found no room
	Unguarded uint64  // activations that found no room in the table of the recursion guard
	Standing  uint64  // not zero while the process waits for its turn
	Waited    uint64  // for a processor: how long the process's threads did when its batches were over, nanoseconds
	Counts    [2]Reading
	Timed     Place             // the function that a benchmark's batch ran last
	Parallel  Place             // the function that RunParallel was handed last
	Units     [MostFigures]Text // of what benchmarks report themselves, in the order in which they were first seen
}

// MostFigures is how many figures of a benchmark's own, by b.ReportMetric, find room.
const MostFigures = 8

// HeaderSize is where the parts of a board may begin.
const HeaderSize = 4096

// Values of Header.Clock.
const (
	ClockNanotime = 1 + iota // runtime.nanotime
	ClockTSC                 // RDTSC of amd64
	ClockCNTVCT              // virtual counter of arm64
	ClockCPU                 // CPU time of the process: a tick is a nanosecond
	ClockCalls               // functions entered: a tick is one
)

// A Reading is what a counter of the kernel says, as it writes it: how much, and for how
// many nanoseconds it was to count and did.
type Reading struct{ Value, Enabled, Running uint64 }

// An Instant is one moment on two clocks.
type Instant struct{ Ticks, Nanos uint64 }

// A Text is a piece of the text area.
type Text struct{ Offset, Len uint32 }

// A Place is a function literal or declaration. Line is where it begins.
type Place struct {
	Func, File Text
	Line       uint64
}

// A Cell is what one probe counted.
type Cell struct{ Calls, Ticks uint64 }

// A Batch is the head of a record: one run of a benchmark's b.N iterations.
// The record goes on with a Cell per probe: what it counted in the batch's
// timed part.
type Batch struct {
	Name          Text
	N             uint64
	Nanos         uint64               // timed
	Allocs, Bytes uint64               // while timed
	Ticks         uint64               // of the probes' clock while timed
	Mask          uint64               // which one was in force, from zero
	Reported      uint64               // which of Figures it has, a bit each
	Figures       [MostFigures]float64 // as reported, by Header.Units
}

// line is two cache lines, for they are fetched in pairs.
const line = 128

// StripeSize returns the bytes of one stripe. It has a cell more than there
// are probes, where all IDs beyond them are counted.
func StripeSize(probes uint64) uint64 {
	return ((probes+1)*uint64(unsafe.Sizeof(Cell{})) + line - 1) &^ (line - 1)
}

// RecordSize returns the bytes of one record.
func RecordSize(probes uint64) uint64 {
	return uint64(unsafe.Sizeof(Batch{})) + probes*uint64(unsafe.Sizeof(Cell{}))
}
