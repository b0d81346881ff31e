// Package outside is the way on which text that others wrote reaches those who read
// it: subjects and authors of commits, names in the code, what a workload printed,
// what the compiler said.
//
// Whoever can push a branch can write them, and each place where they are shown obeys
// something else: a terminal control bytes, the runner of a CI job lines that begin
// with two colons, a comment Markdown, HTML and mentions. Each place has one door
// here, and takes only what came through it: pages are put together of [Markdown],
// notes beside the code are an [Annotation], logs a [Plain], and what is printed goes
// through a [Terminal]. A string is none of these, so that the compiler tells where
// something was forgotten. What was shortened says so.
//
// Files that a process of others has written are read by [File], and what is compressed
// taken apart by [Inflate]: with a bound, and not where something else lies in their place.
package outside
