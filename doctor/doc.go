// Package doctor says what a host can resolve: how small a slowdown pinpoint
// finds on it, in how many pairs of processes, and what would make that better.
//
// It promises that what it says is measured here and now, in the way hunts
// measure: a reference benchmark, built with the user's toolchain, runs as good
// and as bad in pairs of fresh processes that take turns. Both are one binary, so
// whatever differs is the host. Other benchmarks may be noisier or quieter than
// the three that it runs; the spread between those three shows by how much.
//
// The three are a loop that needs nothing but the processor's clock, sorting,
// which also needs what processors share with their neighbours, and decoding
// JSON, which allocates.
package doctor
