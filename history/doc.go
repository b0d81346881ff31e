// Package history keeps accepted results and holds new ones against them.
//
// An accepted result is a file in Go's benchmark format, as [measure] writes it,
// in a directory that can be committed: of one package, or of several that were
// measured together, each of which is compared with its own. Its configuration lines say of which
// commit it is and on what host it was measured. Results of another kind of host
// are not compared, unless it is asked for.
//
// What it promises, and what it can't: the values of one result were measured
// together, those of two were not. A machine that was slower on the day of one
// is a difference between results. Where the accepted ones differ among
// themselves, only a new one that is further away from all of them than they are
// from each other is called slower or faster. Who needs to know more must measure
// both revisions in turns (pinpoint compare).
package history
