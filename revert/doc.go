// Package revert composes "bad, with only this function's code from good", so
// that who is to blame can be proved by putting the good code back.
//
// # What it promises
//
// Bad's tree is never written. What comes out is a [Plan]: contents of files
// that replace or join bad's in the go command's overlay. In bad's own files
// every line stays where it was.
//
// A plan type-checks, together with all loaded packages that depend on what it
// changes. That is no more than a promise to compile: a function put back may
// meet a map that nobody makes any more, or count in a unit that its callers left behind.
// Run the package's tests under it. And a revert is evidence of where time
// goes, never a fix: bad changed that function for a reason.
//
// As little as possible is taken from good. What a plan holds beyond what was
// asked for is listed in it, since whoever reads "with good's F the regression is
// gone" must know what came along.
//
// # How it is composed
//
// Bad's declaration is blanked, and good's stands in an added file with the imports that
// it uses. Where the compiler then objects, its objection tells what else
// is needed:
//
//   - Good's code mentions something that bad lacks: it is taken along. A new
//     field joins bad's struct, and with it come the functions that write it. A field that
//     was only renamed is called by the name it has in bad.
//   - Good's code uses a helper whose type is another one now: good's helper
//     comes in as a renamed copy, so that bad's code keeps its own.
//   - Bad's code misses what was taken away: good's version of that code comes
//     in too, or, if only bad has it, it goes.
//
// A function that has another signature, receiver or name in bad is reached through
// an adapter of bad's signature, when the parameters can be told
// apart by name and type. It may hand over or give back a pointer where the other has the
// value, and a nil error that good does not know.
//
// # Parts of functions
//
// Where a whole function is too much, as one condition in a builder of 200 lines, its
// [Hunks] can be put back: statements that differ, and headers of statements. What was not
// asked for stays bad's. A hunk that compiles only with others, since one declares what
// another uses, takes these along, or the function as a whole.
//
// # What is not covered
//
// Files that use cgo and functions written in assembly are refused by name. Files
// beneath the module cache can't be overlaid, so a dependency is reverted by its
// version, see [Change.ComposeModules]. A function that moved to another package is taken
// only as far as what it mentions is known there under the same names.
package revert
