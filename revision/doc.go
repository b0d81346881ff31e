// Package revision opens revisions of a repository: it is the one place that makes their
// private trees, finds the toolchain and the language that build all of them alike, and
// loads and builds the package of a workload in them.
//
// What it promises:
//
//   - The revisions of a [Set] differ by what was committed, and by nothing else: one
//     toolchain builds them all, a package whose language is too old for probes has the
//     newer one in every build, and a driver, or a benchmark that one of two ends lacks,
//     lies over them without being written to any tree.
//   - What is asked for twice is done once: trees, loaded code and the plain build are
//     kept, and sets that [Set.With] and [Set.Between] derive share them. Trees stay the
//     ones that were opened, whatever happens to the branch or the working files since.
//   - What a revision lacks is told by a [*LackingError], as is what all of them lack.
//   - Probes may go into the module, its dependencies and the standard library: the
//     packages that these lie in are built where they can be overlaid.
//
// How: [Open] takes the revisions by their names, [OpenPair] takes a good and a bad one.
// Nothing is listed, loaded or built before it is asked for.
//
// What is not covered: a set's revisions may be used at the same time, but one revision by
// one user at a time, except that it may be loaded while it is built.
package revision
