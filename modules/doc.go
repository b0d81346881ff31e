// Package modules lets files of dependencies be probed or replaced in a build,
// though they lie in the module cache, where the go command refuses overlays.
//
// It promises that the module cache and the tree that is built stay as they
// are, that what is built is the same code in the same versions, and that
// positions in it (panics, runtime.Caller, profiles, the compiler's messages)
// stay those of the module cache, so that nobody meets the copy.
//
// How: the module is copied to a directory of its own, and a private go.mod or
// go.work replaces that version by the copy. Whatever else is not in the module
// cache can be overlaid where it is: the tree with its vendor directory, modules
// that a directory replaces, workspace members, and the standard library, if
// GOROOT isn't in the module cache itself (harness.Go.PrivateRoot).
//
// # What is not covered
//
//   - debug.ReadBuildInfo tells of the replacement.
//   - A copied file with a //line comment before its package clause, or with a
//     relative one, has the positions that it says, beneath the copy.
//   - With -trimpath in GOFLAGS the paths of copied files stay absolute.
package modules
