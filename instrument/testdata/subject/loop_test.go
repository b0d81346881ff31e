//go:build go1.24

package subject

import (
	"testing"
	"time"
)

func BenchmarkLoop(b *testing.B) {
	Work(1)
	Spin(20 * time.Millisecond)
	for b.Loop() {
		Work(1)
	}
	Work(1)
	Spin(20 * time.Millisecond)
}
