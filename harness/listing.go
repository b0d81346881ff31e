package harness

import "sync/atomic"

// A listed package is what the build needs to know of it.
type listed struct {
	Dir, ImportPath, Name     string
	TestGoFiles, XTestGoFiles []string
}

// Listing is what the go command said of a side's package.
type Listing struct{ is atomic.Pointer[listed] }
