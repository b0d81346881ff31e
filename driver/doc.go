// Package driver makes a benchmark of what a function's own tests give it.
//
// It promises that every input in the benchmark is one that the function was called with
// while the tests that reach it ran, and that what could not be written down is told with
// the reason. At most 64 distinct calls are kept, 4 MiB in all, 16 of a size class.
//
// How: the function gets a call in front of its body that describes its arguments as Go
// (package record), by an overlay; nothing is written to any tree. The benchmark is one
// file of the function's package: it makes the arguments outside of what is timed, for
// every call anew where the function changes what it is given. Pointers that are shared,
// or go round in circles, still do.
//
// What is not covered: functions, channels and fields that only another package knows
// are no data; a call that panics is not kept; a pointer into the middle of something
// else becomes one to a copy.
package driver
