// Package callgraph answers, for one revision of a Go module: which functions
// are there, which calls does a function make and in which order, and whom can
// each call reach.
//
// # Terms
//
// A call expression is one call in the body of one function. Conversions and
// builtins are not calls. A call inside a function literal belongs to the
// literal, which is a [Function] of its own; the body of a range-over-func
// loop belongs to the function that the loop is written in.
//
// The [Layer] of a function is the list of its call expressions in evaluation
// order: operands before the call that consumes them, a before b in a && b(),
// and statements in the order in which control can reach them; among branches
// that exclude each other the one written first comes first, and a loop's post
// statement comes after its body. A deferred call stands where its defer
// statement does, since its operands are evaluated there. A go or defer
// statement is one call, marked [Call.Go] or [Call.Defer].
//
// The [Group] of a function is what it is recursive with: functions that call each other in
// circles are one layer, whose parts are the calls that leave it.
//
// A callee is unknown when no Go source of it is loaded: it lies in a package
// whose types came from export data (see [Program.Extend]), it is written in
// assembly, or it is reached through a value that nothing in the loaded source
// explains.
//
// # What is not covered
//
//   - Calls that can't happen are not listed: code after a return or a panic,
//     operands of a constant expression (unsafe.Sizeof(f())).
//   - Calls that the language makes without a call expression (the iterator of
//     a range-over-func loop, package initialisation, finalizers) are not call
//     expressions. Iterators are in [Layer.Implicit].
//   - Candidates of interface and function-value calls come from VTA over the
//     loaded source. A value that travels through unknown code (sync.Pool,
//     reflection, a container of a dependency) is invisible to it; when VTA
//     knows nothing, every function of a matching name and signature is a
//     candidate. Candidates are therefore neither complete nor exact.
//   - A function in a file that cgo rewrote has positions in the user's file but
//     syntax that is not what the user wrote; [Function.Cgo] says so.
//
// # Identity
//
// Functions are the same when their names are: the name is what the runtime
// prints (see [Function.Name]). This holds across revisions, across the test
// variants of a package (only the one that the test binary links is loaded)
// and across the two type-checking worlds that [Program.Extend] creates.
package callgraph
