package diffmatchpatch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// BenchmarkDrvLines compares two texts of 400 lines line by line.
func BenchmarkDrvLines(b *testing.B) {
	var one, other strings.Builder
	for i := 0; i < 400; i++ {
		fmt.Fprintf(&one, "line %d of the first text\n", i)
		switch {
		case i%7 == 3:
			fmt.Fprintf(&other, "line %d was changed\n", i)
		case i%11 == 5:
		default:
			fmt.Fprintf(&other, "line %d of the first text\n", i)
		}
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		one, other, lines := dmp.DiffLinesToChars(one.String(), other.String())
		dmp.DiffCharsToLines(dmp.DiffMain(one, other, false), lines)
	}
}
