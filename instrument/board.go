package instrument

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/pinpoint-go/pinpoint/instrument/probe"
)

// A Board is a file that one child process counts on, and its parent reads
// when the child is gone, however it went. The child maps it; a killed child
// leaves what it counted last.
type Board struct {
	file   *os.File
	layout probe.Header // as written by CreateBoard
	err    error        // first failure to read
}

// BoardSpec says how much a Board must hold.
type BoardSpec struct {
	Probes int // IDs are below; at most probe.MaskSize
	// On are the probes that count, by their IDs; all others are off. Of several lists
	// each is in force for one batch, and the next for the batch after it, round and
	// round: what probes add to a batch is seen beside one without them, on one
	// process. Nil: none.
	On      [][]int
	Records int // further ones are lost; zero means 4096
	// Turn is how long the child runs batches at least before it lets the next one
	// run of Others that it takes turns with; zero: it takes none. With a turn, the
	// child expects on descriptor 4 the pipe that its turn comes by, and behind it
	// those of the others, the next one's first.
	Turn   time.Duration
	Others int
	// Counters is how many counters of perf_event_open, two at most, the child has on
	// the descriptors behind those of its turns. It reads them when its batches begin
	// and end, in the format with both times.
	Counters int
}

// boardText is enough for the names of thousands of benchmarks.
const boardText = 1 << 20

// CreateBoard makes the file at path, which must not exist. It is sparse: only
// what the child touches takes space. It is best placed in memory (/dev/shm),
// for the child's stores may otherwise wait for the disk.
func CreateBoard(path string, spec BoardSpec) (*Board, error) {
	if spec.Probes < 0 || spec.Probes >= probe.MaskSize {
		return nil, fmt.Errorf("creating a board: %d probes, no more than %d can be told apart", spec.Probes, probe.MaskSize-1)
	}
	if spec.Records == 0 {
		spec.Records = 4096
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("creating a board: %w", err)
	}
	b := &Board{file: file, layout: boardLayout(spec)}
	err = b.format()
	for i, ids := range spec.On {
		err = cmp.Or(err, b.switchOn(i, ids))
	}
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("creating a board: %w", err)
	}
	return b, nil
}

// boardLayout places the parts. Stripes of cells suffice for a GOMAXPROCS of
// the processors here; processors beyond share one.
func boardLayout(spec BoardSpec) probe.Header {
	h := probe.Header{
		Probes:   uint64(spec.Probes),
		Stripes:  uint64(max(8, runtime.NumCPU())),
		Capacity: uint64(spec.Records),
		TextSize: boardText,
		Turn:     uint64(spec.Turn),
		Others:   uint64(spec.Others),
		Counters: uint64(spec.Counters),
	}
	copy(h.Magic[:], probe.Magic)
	h.Mask = probe.HeaderSize
	h.Masks = max(1, uint64(len(spec.On)))
	h.Cells = h.Mask + h.Masks*probe.MaskSize
	h.Text = h.Cells + (h.Stripes+2)*probe.StripeSize(h.Probes)
	h.Log = h.Text + h.TextSize
	h.Size = h.Log + h.Capacity*probe.RecordSize(h.Probes)
	return h
}

func (b *Board) format() error {
	if err := b.file.Truncate(int64(b.layout.Size)); err != nil {
		return err
	}
	var buf bytes.Buffer
	if err := binary.Write(&buf, binary.NativeEndian, &b.layout); err != nil {
		return err
	}
	_, err := b.file.WriteAt(buf.Bytes(), 0)
	return err
}

// File is to be the child's file descriptor 3: the first of its ExtraFiles.
func (b *Board) File() *os.File { return b.file }

// switchOn writes a mask.
func (b *Board) switchOn(index int, ids []int) error {
	mask := make([]byte, probe.MaskSize)
	for _, id := range ids {
		if id < 0 || uint64(id) >= b.layout.Probes {
			return fmt.Errorf("switching on probe %d: the board has %d", id, b.layout.Probes)
		}
		mask[id] = 1
	}
	if _, err := b.file.WriteAt(mask, int64(b.layout.Mask)+int64(index)*probe.MaskSize); err != nil {
		return fmt.Errorf("switching on probes: %w", err)
	}
	return nil
}

// Unlink takes the file's name away, so that nothing is left even of a process
// that is killed. The board and children that get its File work on.
func (b *Board) Unlink() error {
	if err := os.Remove(b.file.Name()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Close gives the file up and removes it.
func (b *Board) Close() error {
	closed := b.file.Close()
	if err := b.Unlink(); err != nil {
		return err
	}
	return closed
}

// Opened reports whether a child has found the board.
func (b *Board) Opened() bool { return b.header().Opened != 0 }

// Standing reports whether the child waits for its turn. A child that was killed
// meanwhile stands for ever.
func (b *Board) Standing() bool { return b.header().Standing != 0 }

// Waited returns for how long the child's threads, all together, were ready to run
// and had no processor, from its start until its batches were over: their run-queue
// delay. It is zero where the system doesn't tell, and of what is no benchmark.
func (b *Board) Waited() time.Duration { return time.Duration(b.header().Waited) }

// A Reading is what a counter said, and for how long it was to count and did, in
// nanoseconds.
type Reading = probe.Reading

// Counts returns what the counters counted in the batches of a benchmark but the first.
func (b *Board) Counts() [2]Reading { return b.header().Counts }

// A Record is what one batch, a run of a benchmark's b.N iterations, came to.
// Batches that failed, and those of the parents of sub-benchmarks, have none.
type Record struct {
	Bench         string
	N             int64
	NS            float64 // timed
	Allocs, Bytes int64   // while timed
	Metered       float64 // what the probes' clock counted while timed: nanoseconds, of CPU time by that meter, or calls
	Mask          int     // which of BoardSpec.On was in force
	Parts         []Part  // by probe ID, while timed
	// Reported are the figures that the benchmark reports itself, by their units, as
	// b.ReportMetric was given them, and MB/s where it calls b.SetBytes; nil: none.
	Reported map[string]float64
}

// A Part is what one probe counted.
type Part struct {
	Calls int64
	NS    float64 // raw: the pair's own cost (Clock) is in it; in the unit of the clock, where that counts no time
}

// Records returns the batches so far, in order.
func (b *Board) Records() []Record {
	h := b.header()
	written := min(h.Written, h.Capacity)
	records := make([]Record, 0, written)
	size := probe.RecordSize(h.Probes)
	units := b.units(h)
	for i := range written {
		src := b.read(b.layout.Log+i*size, size)
		var batch probe.Batch
		parts := make([]probe.Cell, h.Probes)
		b.decode(src, &batch, parts)
		records = append(records, Record{
			Bench:  b.text(batch.Name),
			N:      int64(batch.N),
			NS:     float64(batch.Nanos),
			Allocs: int64(batch.Allocs),
			Bytes:  int64(batch.Bytes),
			Mask:   int(batch.Mask),

			Metered:  float64(batch.Ticks) * tickNS(h),
			Parts:    partsOf(parts, tickNS(h)),
			Reported: reportedIn(batch, units),
		})
	}
	return records
}

// units are those of the figures that benchmarks report themselves; "" is none. A child
// can write what it likes, and a unit is one word.
func (b *Board) units(h probe.Header) (units [probe.MostFigures]string) {
	for i, t := range h.Units {
		if name := b.text(t); !strings.ContainsFunc(name, unicode.IsSpace) && utf8.ValidString(name) {
			units[i] = name
		}
	}
	return units
}

func reportedIn(batch probe.Batch, units [probe.MostFigures]string) map[string]float64 {
	var in map[string]float64
	for i, unit := range units {
		if v := batch.Figures[i]; batch.Reported&(1<<i) != 0 && unit != "" && !math.IsNaN(v) && !math.IsInf(v, 0) {
			if in == nil {
				in = make(map[string]float64)
			}
			in[unit] = v
		}
	}
	return in
}

// Totals returns what every probe counted since the process began, as it
// stands. Of a benchmark, that is only what ran while its timer did.
func (b *Board) Totals() []Part {
	h := b.header()
	sums := make([]probe.Cell, h.Probes)
	stripe := make([]probe.Cell, h.Probes)
	size := probe.StripeSize(h.Probes)
	for i := range h.Stripes + 1 {
		b.decode(b.read(b.layout.Cells+i*size, size), stripe)
		for id, c := range stripe {
			sums[id].Calls += c.Calls
			sums[id].Ticks += c.Ticks
		}
	}
	return partsOf(sums, tickNS(h))
}

func partsOf(cells []probe.Cell, tick float64) []Part {
	parts := make([]Part, len(cells))
	for i, c := range cells {
		parts[i] = Part{int64(c.Calls), float64(c.Ticks) * tick}
	}
	return parts
}

// A Place is a function, and the file and line where it begins. Func is what Go
// prints, generics without brackets.
type Place struct {
	Func, File string
	Line       int
}

// Timed returns the function that the last batch ran, zero if none did.
func (b *Board) Timed() Place { return b.place(b.header().Timed) }

// Parallel returns the function that RunParallel was handed last, zero if it
// wasn't called.
func (b *Board) Parallel() Place { return b.place(b.header().Parallel) }

func (b *Board) place(p probe.Place) Place {
	return Place{withoutBrackets(b.text(p.Func)), b.text(p.File), int(p.Line)}
}

// withoutBrackets drops type arguments, which the runtime prints as [...].
func withoutBrackets(name string) string { return strings.ReplaceAll(name, "[...]", "") }

// A Clock says what the child's probes read, and what reading costs, all in
// nanoseconds and measured when the child started. Costs are the cheapest seen;
// in cold code a pair costs more.
type Clock struct {
	Kind        string  // tsc, cntvct, nanotime, cpu or calls
	Resolution  float64 // smallest difference that two reads can have
	ReadCost    float64 // of one read
	PairCost    float64 // what a probe that is on adds to its own region per call
	OutsideCost float64 // what it adds besides to the region around it
}

// Clock returns a zero Clock if no child has opened the board.
func (b *Board) Clock() Clock {
	h := b.header()
	kinds := map[uint64]string{probe.ClockTSC: "tsc", probe.ClockCNTVCT: "cntvct", probe.ClockNanotime: "nanotime", probe.ClockCPU: "cpu", probe.ClockCalls: "calls"}
	tick := tickNS(h)
	cost := func(v uint64) float64 { return float64(v) / probe.CostScale * tick }
	return Clock{kinds[h.Clock], float64(h.Step) * tick, cost(h.Read), cost(h.Inside), cost(h.Outside)}
}

// tickNS returns the length of a tick in nanoseconds, or in what the clock counts
// where that is no time: over the whole run where
// there were batches, else over the first millisecond.
func tickNS(h probe.Header) float64 {
	if h.Clock == probe.ClockCPU || h.Clock == probe.ClockCalls {
		return 1
	}
	end := h.Early
	if h.Last.Ticks > end.Ticks {
		end = h.Last
	}
	if end.Ticks <= h.First.Ticks {
		return 1
	}
	if end.Nanos < h.First.Nanos {
		return 1
	}
	return float64(end.Nanos-h.First.Nanos) / float64(end.Ticks-h.First.Ticks)
}

// Unguarded returns how many activations of recursive functions were taken for
// outermost ones because too many goroutines were in such functions at once.
func (b *Board) Unguarded() int64 { return int64(b.header().Unguarded) }

// Err returns the first failure to read the board. What was read since may be
// zero.
func (b *Board) Err() error { return b.err }

// header reads the header as it stands. Sizes and offsets are those that were
// written here, whatever the child may have done to them.
func (b *Board) header() probe.Header {
	var h probe.Header
	b.decode(b.read(0, uint64(unsafe.Sizeof(h))), &h)
	h.Probes, h.Stripes, h.Capacity = b.layout.Probes, b.layout.Stripes, b.layout.Capacity
	return h
}

// longestText is that of a name, in bytes. A child can write what it likes.
const longestText = 4096

func (b *Board) text(t probe.Text) string {
	if t.Len > longestText || uint64(t.Offset)+uint64(t.Len) > b.layout.TextSize {
		return ""
	}
	return string(b.read(b.layout.Text+uint64(t.Offset), uint64(t.Len)))
}

func (b *Board) read(at, n uint64) []byte {
	buf := make([]byte, n)
	if _, err := b.file.ReadAt(buf, int64(at)); err != nil && b.err == nil {
		b.err = fmt.Errorf("reading the board: %w", err)
	}
	return buf
}

func (b *Board) decode(src []byte, into ...any) {
	r := bytes.NewReader(src)
	for _, v := range into {
		if err := binary.Read(r, binary.NativeEndian, v); err != nil && b.err == nil {
			b.err = fmt.Errorf("reading the board: %w", err)
		}
	}
}
