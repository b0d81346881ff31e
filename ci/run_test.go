package ci_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunArguments has a stand-in for pinpoint that tells its arguments: inputs
// come to it as they were given, and its exit status goes out.
func TestRunArguments(t *testing.T) {
	needs(t, "bash", "go")
	for _, c := range []struct {
		name string
		env  map[string]string
		want string // among the arguments, one a line
		not  string
	}{
		{"defaults", nil, "ci\n-C\n.\n--base\nrefs/pinpoint/base\n--fail-above\n5%\n", "--pkg"},
		{"changed", nil, "--changed", "--all"},
		{"all", map[string]string{"PINPOINT_SELECT": "all"}, "\n--all\n", "--changed"},
		{"named", map[string]string{"PINPOINT_SELECT": "named", "PINPOINT_BENCH": "A B|$(x)"}, "\n--bench\nA B|$(x)\n", "--changed"},
		{"packages", map[string]string{"PINPOINT_PACKAGES": "./a\n./b c/...\n"}, "\n--pkg\n./a\n--pkg\n./b c/...\n", "--fail-on-unknown"},
		{"modules", map[string]string{"PINPOINT_MODULES": "./a\n./b c\n"}, "\n--module\n./a\n--module\n./b c\n", "--pkg"},
		{"unknown", map[string]string{"PINPOINT_FAIL_ON_UNKNOWN": "true"}, "\n--fail-on-unknown\n", ""},
		{"arguments", map[string]string{"PINPOINT_ARGS": "--tags\na b\n"}, "\n--tags\na b\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t, t.TempDir())
			stub := filepath.Join(j.temp, "pinpoint")
			write(t, stub, "#!/bin/sh\nprintf '%s\\n' \"$@\"\necho summary >\"$PINPOINT_OUT/summary.md\"\nexit 3\n")
			check(t, os.Chmod(stub, 0o755))
			env := map[string]string{
				"PINPOINT_BIN": stub, "PINPOINT_OUT": filepath.Join(j.temp, "out"), "PINPOINT_CACHE": filepath.Join(j.temp, "cache"),
				"PINPOINT_FAIL_ABOVE": "5%", "PINPOINT_BUDGET": "1m",
				"GITHUB_OUTPUT": filepath.Join(j.temp, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(j.temp, "summary"),
			}
			for name, value := range c.env {
				env[name] = value
			}
			script, err := filepath.Abs("run.sh")
			check(t, err)
			if status := j.command(t, j.checkout, env, script); status != 3 {
				t.Errorf("exit status %d, want 3:\n%s", status, &j.log)
			}
			if text := j.log.String(); !strings.Contains(text, c.want) || c.not != "" && strings.Contains(text, c.not) {
				t.Errorf("arguments:\n%s", text)
			}
			for name, want := range map[string]string{"output": "status=3\n", "summary": "summary\n"} {
				if data, err := os.ReadFile(filepath.Join(j.temp, name)); err != nil || !strings.Contains(string(data), want) {
					t.Errorf("%s: %q, %v", name, data, err)
				}
			}
		})
	}
}
