//go:build !linux

package harness

// endOrphans leaves them alone: there is no portable way to find them.
func endOrphans(string) {}
