// Package finder decides which call expression, or whose own code, makes one
// revision of a function slower than another.
//
// It promises never to accuse what was not measured alone, on fresh processes,
// after the search had named it; and to name something whenever the whole was
// found guilty, be it only a range of calls or the inspected function itself.
// It expects what bisection expects: that good is fast, that bad is slow, and
// that they stay so while the search runs.
//
// A layer is the list of call expressions of one function, in evaluation
// order. A region is a contiguous range of a layer. What a function spends
// outside its calls is its own code. Guilty means that a comparison's verdict
// is slower.
//
// A region is found guilty before it is split, and never believed against the
// function around it. What the caller knows of the inspected function without
// probes counts as found: the processes of a search, fewer and probed, need not
// see it again to see which part it is.
//
// There is one primitive: the workload runs with the probes of one region
// switched on, and the times of several parts of that region, of the whole
// inspected function, and of its own code where every call was probed, are
// read out of the same processes. How the region is cut into parts is all that
// the ways of narrowing differ in:
//
//	binary  two halves            ceil(log2 n) comparisons for one culprit among n calls
//	linear  the head and the tail about n/2
//	sweep   every call for itself 1
//
// A single guilty call is dug: the function below it is the next layer, and
// its share of the whole difference is what the layer below divides up. A
// function is measured over all its calls, so that it is inspected once; other
// guilty calls of it add their share to what was found there.
//
// What differs is searched the other way round, by halves: not which part of what
// runs became slower, but which part of the change makes it so, by putting sets of it
// back as they were in good, whatever place the cost shows in. See [Halves]. What such
// a share says is one table, [Accept].
//
// The package is pure. Measuring and digging are functions handed in; there is
// no clock, no process and no randomness here, so that the same answers give
// the same search.
//
// The algorithms are DiggingFind, BinaryFind and LinearFind of the thesis
// "Scala Benchmarking Suite" (2012), 4.2, with three departures. All parts
// that matter are followed, not only the first. When a whole is guilty and no
// part of it is, the whole is the answer, not "no bottleneck". Calls that one
// revision doesn't have are parts like others, not an error.
package finder
