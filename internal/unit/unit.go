// Package unit knows what a unit of Go's benchmark format says of a quantity: whether
// more of it is better, whether it is a time, and what its reciprocal is. It is the one
// place where that is read off a name.
package unit

import (
	"slices"
	"strings"
)

// times are how units name a time.
var times = []string{"ns", "us", "µs", "ms", "s", "sec", "nsec", "usec", "msec", "seconds"}

// MoreIsBetter reports whether the larger value is the better one, as of a rate such as
// MB/s or req/s. Of all other units less is taken to be.
func MoreIsBetter(unit string) bool {
	_, per, ok := strings.Cut(unit, "/")
	return ok && slices.Contains(times, per)
}

// IsTime reports whether a time is in it, above or below the line: ns/op, p99-ns, MB/s.
// What is a time varies with the machine, and what is not may be exact.
func IsTime(unit string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(unit, func(r rune) bool { return r == '/' || r == '-' || r == '_' }), func(part string) bool {
		return slices.Contains(times, part)
	})
}

// Reciprocal is the unit of 1 divided by what is in a unit, and by what that 1 is to be
// multiplied: of MB/s it is ns/MB, by 1e9.
func Reciprocal(unit string) (name string, factor float64) {
	above, below, ok := strings.Cut(unit, "/")
	switch {
	case !ok:
		return "1/" + unit, 1
	case below == "s" || below == "sec":
		return "ns/" + above, 1e9
	}
	return below + "/" + above, 1
}
