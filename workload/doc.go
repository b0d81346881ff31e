// Package workload finds what runs a function: among all benchmarks and tests of a
// revision's modules the one in which the function takes most of the time.
//
// It promises that what it chooses was seen to run the function. The call graph says
// only which benchmarks and tests may, and which lie nearest; each of them is then run
// once with a probe around the function, and those that enter it while they are timed
// are run for long enough to say which share of the time it takes. A benchmark comes
// before any test: it times one thing. What could not be looked at, for it does not
// compile, fails or takes too long, is listed with the reason.
//
// Where nothing runs the function, it says which of its callers are run, and how many
// calls above it they lie.
package workload
