// Package compare runs pairs of processes until a question about them is
// decided, or until it is known that it can't be. It promises that looks at
// samples are planned before there are any, that what accuses pays for its error
// from one ledger, that no verdict rests on where the linker happened to put
// functions, and that what a budget has no time for is said.
//
// A [Sampler] knows what is run, which quantity of it counts and what may be
// spent. It compares the unprobed binaries of both revisions first: the [Whole],
// against which every part is held. What the whole teaches, such as that it is
// decided on one processor only, is in the sampler that comes with it, which all
// that follows goes on with.
package compare
