// Package subject has its probes written by hand, as instrument writes them.
package subject

import (
	"os"
	"strings"
	"time"

	_pinpoint "debug"
)

//go:noinline
func step(x int) int { return x + 1 }

// Work calls step once: probe 0.
func Work(x int) int {
	var t [1]_pinpoint.Mark
	return _pinpoint.Stop(_pinpoint.Begin(&t[0], 0), step(x))
}

// Off calls step once: probe 1.
func Off(x int) int {
	var t [1]_pinpoint.Mark
	return _pinpoint.Stop(_pinpoint.Begin(&t[0], 1), step(x))
}

// Wait calls f, which controls the timer: probe 2.
func Wait(f func()) {
	var t [1]_pinpoint.Mark
	_pinpoint.Begin(&t[0], 2)
	f()
	_pinpoint.End(&t[0], 2)
}

// Spin lasts for d: probe 3.
func Spin(d time.Duration) {
	var t [1]_pinpoint.Mark
	_pinpoint.Enter(&t[0], 3, 0)
	defer _pinpoint.Leave(&t[0], 3)
	for begin := time.Now(); time.Since(begin) < d; {
	}
}

// Fields calls a probed function of the standard library, where there is one.
func Fields() int { return len(strings.Fields(" a b c ")) }

// Die ends the process in the midst of counting.
func Die(code int) {
	Work(1)
	os.Exit(code)
}
