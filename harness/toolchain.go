package harness

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// Go is one toolchain, called by its own go command so that no go.mod can
// make it switch to another.
type Go struct {
	Cmd      string   // the go command of Root
	Root     string   // GOROOT
	Version  string   // GOVERSION: go1.26.8
	ModCache string   // GOMODCACHE
	Flags    []string // GOFLAGS, from the environment or from go env -w
	Env      []string // of every go command: the user's, except for what Side.Env says
	byName   string   // a directory in which Cmd goes by the toolchain's name; "" where PATH leads to it as go
}

// withStderr puts what a command printed before its exit status, and the
// error of ctx in its place when we ended the command.
func withStderr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return fmt.Errorf("%s: %w", strings.TrimSpace(string(exit.Stderr)), err)
	}
	return err
}

func (g *Go) hasFlag(name string) bool {
	return slices.ContainsFunc(g.Flags, func(flag string) bool {
		have, _ := flagOf(flag)
		return have == name
	})
}

func envName(entry string) string {
	name, _, _ := strings.Cut(entry, "=")
	return name
}

// flagOf takes a flag apart, which may begin with two dashes.
func flagOf(flag string) (name, value string) {
	name, value, _ = strings.Cut(flag, "=")
	return "-" + strings.TrimLeft(name, "-"), value
}
