// Package ran says which of what differs between two revisions a workload executes. What
// did not run cannot have made it slower, wherever the linker put things.
//
// What it promises:
//
//   - Where it says that nothing of what differs ran, no function ran whose code differs or
//     that one revision lacks, none that uses a type, constant or variable that differs, in
//     initialisers, TestMain, set-up, timed or not, in the module or in a dependency of
//     another version.
//   - Counts are of one process of each side, for as long as a calibrating one. A function
//     that runs more rarely than once in that time is not seen; it can't matter to the mean
//     by more than the time it takes itself.
//   - What can't be counted is said to run: see [Counter.Always].
//
// How: package change tells which functions to count, package instrument lays a counter
// at the beginning of each, and the package is built with them in both revisions, once for
// all its workloads.
//
// What is not covered: of programs that the workload starts, only that it did is seen, see
// [Run.Programs]. They may run anything.
package ran
