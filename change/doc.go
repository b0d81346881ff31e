// Package change says what differs between two loaded revisions of a module, and what in
// the one is whose counterpart in the other. It is the only place that says so.
//
// What it promises:
//
//   - A declaration differs if its tokens or the compiler's directives do: comments and
//     layout make no difference.
//   - A function's counterpart is the one that has its code: the function of the same
//     name, or, where that is gone or has become a wrapper, the most similar one that the
//     other revision gained. What can't be told has none.
//   - A call's counterpart is the one in its place: same callee and text first, then same
//     callee, same name, similar code, similar text. Every call has at most one.
//
// How: [Between] lists the declarations of both sides and pairs those that were renamed
// by the share of tokens that they have in common in order, the most similar first, 60 %
// at least.
//
// What is not covered: packages whose source is not loaded (a dependency is told apart by
// its version), and what package-level variables are assigned in func init.
package change
