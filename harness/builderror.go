package harness

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// BuildError says that a side could not be built.
type BuildError struct {
	Label   string   // the side: good or bad
	Command []string // the go command that failed; nil when it was not asked
	Dir     string   // where it ran
	Output  string   // the compiler's lines, whole, with paths relative to the module
	Advice  string   // what to do about it, one sentence; may be empty
	Cause   error    // the go command's exit status
}

func (e *BuildError) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "building the %s side", e.Label)
	if out := strings.TrimRight(e.Output, "\n"); strings.Contains(out, "\n") {
		fmt.Fprintf(&s, ":\n%s", out)
	} else {
		fmt.Fprintf(&s, ": %s", out)
	}
	if e.Output == "" && e.Cause != nil {
		s.WriteString(e.Cause.Error())
	}
	if e.Advice != "" {
		fmt.Fprintf(&s, "\n%s", e.Advice)
	}
	return s.String()
}

func (e *BuildError) Unwrap() error { return e.Cause }

// userPaths puts the names that a user knows in place of those of the private
// tree and of the overlay's files: relative to the module's directory.
func (j *job) userPaths(output string) string {
	var pairs []string
	for from, to := range j.overlayNames() {
		pairs = append(pairs, to, from)
		// The go command shortens names against the directory that it runs in.
		if rel, err := filepath.Rel(j.side.Dir, to); err == nil {
			pairs = append(pairs, rel, from)
		}
	}
	if len(pairs) > 0 {
		output = strings.NewReplacer(pairs...).Replace(output)
	}
	dir := j.side.Dir + string(os.PathSeparator)
	return strings.NewReplacer(dir, "", j.side.Dir, ".").Replace(output)
}

// overlayNames is the Replace map of the overlay's JSON file: the name that
// the go command was told to believe, and the file that it read.
func (j *job) overlayNames() map[string]string {
	var o struct{ Replace map[string]string }
	if data, err := os.ReadFile(j.overlay); err != nil || json.Unmarshal(data, &o) != nil {
		return nil
	}
	return o.Replace
}

// testLine is a compiler's line about a test file.
var testLine = regexp.MustCompile(`(?m)^\S*_test\.go:\d+:\d+: `)

func blamesTests(output string) bool { return testLine.MatchString(output) }
