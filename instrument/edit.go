package instrument

import (
	"cmp"
	"fmt"
	"slices"
)

// Edits of the same bytes nest by rank, the lowest outermost.
const (
	rankBlock   = iota // a block around a statement that lies in no list
	rankStmt           // probes in statement form
	rankHeader         // the condition behind a probed init or post statement
	rankRestart        // an operand of a probed call
	rankStop           // a probed call
)

// An edit puts text before and after the bytes [start, end) of a file.
type edit struct {
	start, end    int
	rank          int
	before, after string
}

func (e edit) String() string {
	return fmt.Sprintf("[%d,%d)->%q...%q", e.start, e.end, e.before, e.after)
}

// A buffer queues edits of a file. All of them insert and none deletes, so the
// file can always be had back, and they nest, so their order at one place is
// never a matter of which came first.
type buffer struct {
	old []byte
	q   []edit
}

// around queues an edit.
func (b *buffer) around(start, end, rank int, before, after string) {
	b.q = append(b.q, edit{start, end, rank, before, after})
}

// An insertion is text that lies at an offset of the edited file and not in
// the original.
type insertion struct {
	offset int
	text   string
}

// bytes returns the edited file and what was inserted, in order. It fails if
// edits overlap without nesting, or if two of the same bytes have one rank.
func (b *buffer) bytes() ([]byte, []insertion, error) {
	if err := b.check(); err != nil {
		return nil, nil, err
	}
	var out []byte
	var ins []insertion
	offset := 0
	for _, p := range b.points() {
		out = append(out, b.old[offset:p.offset]...)
		offset = p.offset
		ins = append(ins, insertion{len(out), p.text})
		out = append(out, p.text...)
	}
	return append(out, b.old[offset:]...), ins, nil
}

// points returns the insertions in order, with offsets in the original. Where
// one edit ends and another begins, the first is closed before the second is
// opened.
func (b *buffer) points() []insertion {
	slices.SortFunc(b.q, inward)
	var points []insertion
	var open []edit
	closeUntil := func(offset int) {
		for len(open) > 0 && open[len(open)-1].end <= offset {
			e := open[len(open)-1]
			open = open[:len(open)-1]
			points = append(points, insertion{e.end, e.after})
		}
	}
	for _, e := range b.q {
		closeUntil(e.start)
		points = append(points, insertion{e.start, e.before})
		open = append(open, e)
	}
	closeUntil(len(b.old))
	return slices.DeleteFunc(points, func(p insertion) bool { return p.text == "" })
}

// check sees that edits are within the file and nest.
func (b *buffer) check() error {
	slices.SortFunc(b.q, inward)
	var open []edit
	for i, e := range b.q {
		if e.start < 0 || e.start >= e.end || e.end > len(b.old) {
			return fmt.Errorf("invalid edit %v of %d bytes", e, len(b.old))
		}
		if i > 0 && inward(b.q[i-1], e) == 0 {
			return fmt.Errorf("conflicting edits: %v, %v", b.q[i-1], e)
		}
		for len(open) > 0 && open[len(open)-1].end <= e.start {
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 && open[n-1].end < e.end {
			return fmt.Errorf("overlapping edits: %v, %v", open[n-1], e)
		}
		open = append(open, e)
	}
	return nil
}

// inward sorts edits by start, and the outer before the inner.
func inward(a, b edit) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.rank, b.rank))
}
