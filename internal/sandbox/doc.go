// Package sandbox starts a process that sees little of the machine: code that somebody
// wants to merge.
//
// # What it promises
//
// A process that is started in a [View] has no network but a loopback of its own, sees no
// process but its own, and shares no System V memory. Everything that it sees of the file
// system is read-only, but for what the view makes writable, and directories that are
// replaced by empty ones, in memory, which end with it: what the view hides, /tmp, /run and
// /dev/shm among them. Of devices there are the harmless ones. It has no capabilities, also
// where its user is root, and gains none by running a program. When it ends, everything
// that it started is killed by the kernel.
//
// It keeps its user, its environment, its descriptors, its processor and its place in the
// file system. It is process 1 to itself.
//
// # How
//
// The process begins as this program again, in namespaces of its own. That makes the
// mounts, gives up its rights and becomes the program that was asked for, so that nothing
// stands beside what is measured. Linux 5.12 is needed, and that users may make
// namespaces: [Possible] says why not.
//
// # What is not covered
//
// Faults of the kernel; how much memory, disk and processor time all processes take
// together; the times that code takes, by which it may tell what others do.
package sandbox

// A View is what a process sees of the file system besides what everybody may read. The
// paths are absolute. What isn't there is left out.
type View struct {
	Hidden   []string // directories that are empty in it, and forgotten
	Readable []string // files and directories that are seen even where one above them is hidden
	Writable []string // the same, and can be written to
}
