package measure

import (
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
)

// A Warmer decides which batches of a process come too early. The zero value
// leaves out the first tenth.
//
// With a CoV it is the way of Georges et al. and of the thesis (2.3.3): as soon as
// the coefficient of variation of the last Window batches is below it, the
// process is steady, and the next ones are kept. A process that never gets
// there keeps its last ones and is noted: to drop it would be to select.
type Warmer struct {
	CoV    float64 // threshold, such as 0.02; 0 leaves out the first tenth instead
	Window int     // batches that are looked at; 0: as many as are kept
	Repeat int     // at most so many times the wanted batches run to warm up; 0: 5
}

const defaultRepeat = 5

func (w Warmer) repeat() int {
	if w.Repeat > 0 {
		return w.Repeat
	}
	return defaultRepeat
}

// batches is how many must run for wanted ones to be kept.
func (w Warmer) batches(wanted int) int {
	if w.CoV == 0 {
		return wanted + cold(wanted)
	}
	return wanted + w.repeat()*wanted
}

// cold is the tenth of all that warms up. Fewer than three batches are long ones.
func cold(wanted int) int {
	if wanted < 3 {
		return 0
	}
	return (wanted + 8) / 9
}

// settle splits off the warm-up.
func (w Warmer) settle(batches []harness.Batch, wanted int) series {
	if w.CoV == 0 {
		return series{kept: slices.Clone(batches[min(cold(wanted), len(batches)):])}
	}
	window := w.Window
	if window == 0 {
		window = wanted
	}
	limit := min(w.repeat()*wanted, len(batches)-wanted)
	for end := window; end <= limit; end++ {
		if CoV(batches[end-window:end]) < w.CoV {
			return series{kept: slices.Clone(batches[end:])}
		}
	}
	s := series{kept: slices.Clone(batches[max(limit, 0):])}
	s.note("unwarmable: the last %d batches never varied by less than %.3g %% (CoV)", window, 100*w.CoV)
	return s
}
