// Package measure runs benchmarks as scenarios and keeps what they were
// measured to be.
//
// A scenario is one benchmark of one revision under one setting: values of
// environment variables and a number of processors. All scenarios of a
// measurement are all combinations (Caliper's). Every value comes from a fresh
// process, the unit of replication; the scenarios take turns, so that what drifts
// slowly is the same for all.
//
// A [Measurer] says what is taken from a process. Its names are those that
// ScalaMeter and SBS, the ancestors, have for the same thing. What it promises:
//
//   - Time and other quantities are never taken from the same process.
//   - A count is called exact only where all its processes agree to the last digit.
//   - Nothing is dropped without being counted: what IgnoringGC and
//     OutlierElimination leave out, and a process that never got steady, are in the
//     notes.
//   - What is written ([Result.WriteBenchfmt]) is Go's benchmark format, one line a
//     process, under configuration lines that say where it comes from.
package measure
