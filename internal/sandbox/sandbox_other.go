//go:build !linux

package sandbox

import (
	"errors"
	"os/exec"
	"time"
)

// An Entry is the way into a sandbox. There is none here.
type Entry struct{}

// Possible says why there is no sandbox.
func Possible() error { return errors.New("only Linux has namespaces") }

// Prepare fails, see [Possible].
func Prepare(*exec.Cmd, View) (*Entry, error) { return nil, Possible() }

// Close does nothing.
func (*Entry) Close() {}

// Await fails, see [Possible].
func (*Entry) Await() (wall, cpu time.Duration, err error) { return 0, 0, Possible() }
