package arraycopy

import (
	"os"
	"strconv"
	"testing"
)

// number is the value of an environment variable, or what it is without one.
func number(tb testing.TB, name string, without int) int {
	text := os.Getenv(name)
	if text == "" {
		return without
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		tb.Fatalf("%s=%s: give a number above 0", name, text)
	}
	return n
}

var cloned List // so that the clones are made

// An operation clones the list ITERATIONS times. Its slices have SIZE elements.
// The thesis has 41 and 48000. It allocates, too; here a clone takes the memory of
// the one before, unless FRESH is 1: else the collector is most of what is measured.
func BenchmarkArrayCopy(b *testing.B) {
	n := number(b, "ITERATIONS", 41)
	list := NewList(number(b, "SIZE", 48000))
	fresh := os.Getenv("FRESH") == "1"
	for b.Loop() {
		for range n {
			if fresh {
				cloned = List{}
			}
			list.CopyTo(&cloned)
		}
	}
}

func TestCloneIsOfItsOwn(t *testing.T) {
	list := NewList(100)
	clone := list.Clone()
	clone.Longs[7] = 1
	if list.Longs[7] != 0 || len(clone.Objects) != 100 || len(clone.Shorts) != 100 {
		t.Error("the clone shares its elements with the list, or has not all of them")
	}
}
