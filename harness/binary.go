package harness

// Binary is one built side.
type Binary struct {
	Path    string
	Dir     string // the child's working directory: the package's for tests, the side's for a main program
	Root    string // GOROOT of the toolchain; its bin directory comes first in the child's PATH
	Label   string // good or bad
	Package string // import path
	Command []string
	Tree    string   // the top of the side's tree
	Hidden  []string // directories that are not for the child's eyes, see Sandboxed
	Cache   string   // that of modules, which tests may read
	Probes  int      // how many probe IDs the binary knows: 1 + the largest; 0 when it has none

	Sanitized bool // it maps more memory than there is, for a detector of races or of wrong accesses
}
