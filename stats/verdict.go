package stats

// Verdict is what a comparison says about the bad side.
type Verdict int

const (
	Unknown Verdict = iota // the interval allows more than one of the others
	Same                   // any difference is smaller than the minimum effect
	Slower                 // bad is larger by more than the minimum effect
	Faster                 // bad is smaller by more than the minimum effect
	Mixed                  // typical operations and their mean differ in opposite directions, see Weigh
)

func (v Verdict) String() string {
	switch v {
	case Same:
		return "same"
	case Slower:
		return "slower"
	case Faster:
		return "faster"
	case Mixed:
		return "mixed"
	default:
		return "unknown"
	}
}

// Turned is the verdict on a quantity of which more is better.
func (v Verdict) Turned() Verdict {
	switch v {
	case Slower:
		return Faster
	case Faster:
		return Slower
	}
	return v
}

// Upheld reports whether a verdict of slower or faster stands where the interval of
// bad/good is ratio: all of it lies on the verdict's side of 1.
func (v Verdict) Upheld(ratio Interval) bool {
	return v == Slower && ratio.Low > 1 || v == Faster && ratio.High < 1
}

// judge places an interval among the three ranges that low and high make.
func judge(i Interval, low, high float64) Verdict {
	switch {
	case i.Low > high:
		return Slower
	case i.High < low:
		return Faster
	case low < i.Low && i.High < high:
		return Same
	default:
		return Unknown
	}
}

// excludes reports whether no value of the interval agrees with v. An interval
// that is merely too wide to agree doesn't object.
func excludes(i Interval, low, high float64, v Verdict) bool {
	switch v {
	case Slower:
		return i.High <= high
	case Faster:
		return i.Low >= low
	case Same:
		return i.Low >= high || i.High <= low
	default:
		return false
	}
}
