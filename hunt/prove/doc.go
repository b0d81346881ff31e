// Package prove asks what becomes of the difference when good's code is put back into
// bad. It promises that a share is what was seen of a program that was built and run: good,
// bad, and bad with good's code for a set of what differs, in one rotation; and that what
// the compiler wanted along with a set counts as put back with it.
//
// A [Lab] has the elements: functions that differ, data, what only bad has, dependencies
// in another version. A set of them is composed by type-checking, which is cheap, and
// built and run when its share is asked for. It answers the search by halves of package
// finder, and the search through layers, which asks for one function.
package prove
