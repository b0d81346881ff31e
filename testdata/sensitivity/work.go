package sensitivity

import "slices"

// A desk is what the work is done on.
type desk struct {
	text   []byte
	counts map[uint32]int
	sum    uint64
	last   []uint32
}

func newDesk() *desk {
	d := &desk{text: make([]byte, 4096), counts: make(map[uint32]int)}
	for i := range d.text {
		d.text[i] = byte(i * 7 % 251)
	}
	for i := range uint32(512) {
		d.counts[i*2654435761>>16] = int(i)
	}
	return d
}

// work does what a request usually does, so many times: it reads bytes, looks
// something up, sorts a little and allocates a little. Every round costs the same.
func (d *desk) work(rounds int) {
	for i := range rounds {
		hash := uint32(2166136261)
		for _, b := range d.text[i%16*64 : i%16*64+64] {
			hash = (hash ^ uint32(b)) * 16777619
		}
		d.sum += uint64(d.counts[hash>>16])
		few := make([]uint32, 0, 8)
		for k := range uint32(8) {
			few = append(few, hash>>k&255)
		}
		slices.Sort(few)
		d.last = few
	}
}
