package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A git runs commands on one repository, none of which may change it.
type git struct {
	dir  string   // where the command runs
	args []string // before the command's name
}

// safe are the settings that keep the repository's configuration from running
// anything. They win over every configuration file. The user's own files are
// still read, for safe.directory and the like are there.
var safe = []string{
	"--no-pager",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.warnAmbiguousRefs=true", // Resolve listens for it
	"-c", "log.showSignature=false", // would run gpg
	"-c", "submodule.recurse=false",
	"-c", "color.ui=false",
	"-c", "i18n.logOutputEncoding=UTF-8", // whatever the commits are in
}

// kept are the variables of git that the children inherit. All others are
// dropped: a hook, an alias or git bisect run sets GIT_DIR, GIT_INDEX_FILE and
// more for its own repository, which need not be the one that was asked for.
var kept = []string{
	"GIT_CEILING_DIRECTORIES",
	"GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_NOSYSTEM",
	"GIT_CONFIG_SYSTEM",
	"GIT_CONFIG_COUNT", // with KEY and VALUE: how containers are given safe.directory
	"GIT_DISCOVERY_ACROSS_FILESYSTEM",
	"GIT_EXEC_PATH",
}

func environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(s string) bool {
		name, _, _ := strings.Cut(s, "=")
		return name == "LANGUAGE" || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "GIT_") &&
			!slices.Contains(kept, name) &&
			!strings.HasPrefix(name, "GIT_CONFIG_KEY_") && !strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
	})
	return append(env,
		"LC_ALL=C", // messages are matched
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_TERMINAL_PROMPT=0",
		// A partial clone fetches missing objects when they are read. The
		// variable that forbids it came with git 2.45 and 2.39.4; before, no transport being
		// allowed does.
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none",
	)
}

func (g git) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", slices.Concat(safe, g.args, args)...)
	cmd.Dir = g.dir
	cmd.Env = environment()
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// output runs a command and returns its standard output.
func (g git) output(ctx context.Context, args ...string) ([]byte, error) {
	out, _, err := g.outputs(ctx, args...)
	return out, err
}

// outputs is output that returns the warnings, too.
func (g git) outputs(ctx context.Context, args ...string) (out []byte, warnings string, err error) {
	cmd := g.command(ctx, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	if err != nil {
		return nil, "", newGitError(ctx, args, stderr.String(), err)
	}
	return out, stderr.String(), nil
}

// line returns the single line that a command prints. Names of directories may
// hold newlines, so only the last one goes.
func (g git) line(ctx context.Context, args ...string) (string, error) {
	out, err := g.output(ctx, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// A gitError is a git command that failed.
type gitError struct {
	args   []string
	stderr string // whole
	cause  error
}

// newGitError tells a failure from an interruption: a killed git has nothing
// to say.
func newGitError(ctx context.Context, args []string, stderr string, cause error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &gitError{args, strings.TrimSpace(stderr), cause}
}

func (e *gitError) Error() string {
	said := e.stderr
	if said == "" {
		said = e.cause.Error()
	}
	if errors.Is(e.cause, exec.ErrNotFound) {
		said = "there is no git in PATH"
	}
	if strings.Contains(said, "from promisor remote") || strings.Contains(said, "transport '") {
		said += "\nthe clone is partial, and nothing is fetched: git fetch --refetch --no-filter brings what is missing"
	}
	return fmt.Sprintf("running git %s: %s", strings.Join(e.args, " "), said)
}

func (e *gitError) Unwrap() error { return e.cause }

// readers are the commands that Git runs, with the options that keep them from
// running others. What looks at working files (status, diff, blame, describe) is
// not here, for it runs the filters of the files it compares.
var readers = map[string][]string{
	"cat-file":     nil,
	"diff-tree":    {"--no-ext-diff", "--no-textconv"},
	"for-each-ref": nil,
	"log":          {"--no-ext-diff", "--no-textconv"},
	"ls-tree":      nil,
	"merge-base":   nil,
	"name-rev":     nil,
	"rev-list":     nil,
	"rev-parse":    nil,
	"show":         {"--no-ext-diff", "--no-textconv"},
}

// Git runs a git command that reads commits, such as log or diff-tree, at the
// repository's top, under the same guards as everything here, and returns its
// standard output. It refuses commands that could write or that look at the working files.
func (r *Repo) Git(ctx context.Context, args ...string) ([]byte, error) {
	if len(args) == 0 {
		return nil, errors.New("running git: no command")
	}
	guards, ok := readers[args[0]]
	if !ok {
		return nil, fmt.Errorf("running git %s: not among the commands that only read commits", args[0])
	}
	return r.git.output(ctx, slices.Concat(args[:1], guards, args[1:])...)
}
