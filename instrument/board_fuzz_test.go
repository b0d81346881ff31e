package instrument_test

import (
	"encoding/binary"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/instrument/probe"
)

// FuzzBoard scribbles on a board, as a child may, and reads it. Nothing panics, and what
// is read is no more than there is room for.
func FuzzBoard(f *testing.F) {
	all := make([]byte, 512)
	for i := range all {
		all[i] = 0xFF
	}
	f.Add(uint32(0), all)
	f.Add(uint32(unsafe.Offsetof(probe.Header{}.Written)), all[:8])
	f.Add(uint32(unsafe.Offsetof(probe.Header{}.Timed)), all[:40])
	f.Add(uint32(unsafe.Offsetof(probe.Header{}.Size)), binary.NativeEndian.AppendUint64(nil, 1<<62))
	f.Add(uint32(0), []byte(nil)) // cuts the file off
	f.Fuzz(func(t *testing.T, at uint32, data []byte) {
		b, err := instrument.CreateBoard(filepath.Join(t.TempDir(), "board"), instrument.BoardSpec{Probes: 3, Records: 4, On: [][]int{{0}, {1}}})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		if len(data) == 0 {
			if err := b.File().Truncate(int64(at % 10_000)); err != nil {
				t.Fatal(err)
			}
		} else if _, err := b.File().WriteAt(data, int64(at%3_000_000)); err != nil {
			t.Fatal(err)
		}
		records := b.Records()
		if len(records) > 4 {
			t.Errorf("%d records, there is room for 4", len(records))
		}
		for _, r := range records {
			if len(r.Bench) > 4096 || len(r.Parts) != 3 {
				t.Errorf("a name of %d bytes, %d parts", len(r.Bench), len(r.Parts))
			}
		}
		if n := len(b.Totals()); n != 3 {
			t.Errorf("%d totals", n)
		}
		if n := len(b.Timed().Func) + len(b.Parallel().File); n > 3*4096 {
			t.Errorf("places of %d bytes", n)
		}
		b.Opened()
		b.Standing()
		b.Waited()
		b.Clock()
		b.Unguarded()
	})
}
