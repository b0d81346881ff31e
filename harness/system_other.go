//go:build !unix

package harness

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// Here code is read and reports are, and nothing is measured: what only measuring needs
// says so.
var errUnmeasured = errors.New("pinpoint measures on Linux and macOS")

const fileTooLarge = syscall.Signal(25)

func pipe() (out, in *os.File, err error) { return nil, nil, errUnmeasured }

func kill(int, syscall.Signal) {}

func switches(*os.ProcessState) int64 { return 0 }

func largest(*os.ProcessState) int64 { return 0 }

// mine is not told.
func mine(fs.DirEntry) bool { return false }

func groupLeader() *syscall.SysProcAttr { return nil }

func awaitExit(cmd *exec.Cmd) error { return cmd.Wait() }

func pinned(_ int, f func() error) error { return f() }

// wasParent is not told here.
func wasParent(int) bool { return false }
