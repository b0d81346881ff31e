//go:build !unix

package flock

import (
	"errors"
	"os"
)

const (
	Alone, Shared, DontWait = 1, 2, 4
	NoFollow                = 0
)

// Lock takes none: there is no portable lock, and nothing is measured here.
func Lock(*os.File, int) error { return errors.ErrUnsupported }

// Taken is not told.
func Taken(error) bool { return false }
