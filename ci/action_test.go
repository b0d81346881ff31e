// Package ci_test runs what CI systems run: the steps of action.yml and the job of
// gitlab.yml, by the real shell and the real git, in a repository that was checked
// out as shallow as they do.
package ci_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"
)

// action is what action.yml says.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []step
	}
}

type step struct {
	Name, ID, If, Shell, Run, Uses string
	WorkingDirectory               string `yaml:"working-directory"`
	Env, With                      map[string]string
}

func readAction(t *testing.T) action {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	var a action
	if err := d.Decode(&a); err != nil {
		t.Fatal(err)
	}
	return a
}

// job is one run of the action's steps.
type job struct {
	checkout, temp, home string
	env                  map[string]string // beyond what every job has
	values               map[string]string // of expressions: inputs.base, github.event.before...
	log                  bytes.Buffer
}

func newJob(t *testing.T, checkout string) *job {
	t.Helper()
	needs(t, "bash", "git")
	temp := t.TempDir()
	home := filepath.Join(temp, "home")
	// Where the home is new, the go command leaves a process behind that writes to it
	// when the test is over.
	telemetry := filepath.Join(home, ".config", "go", "telemetry")
	check(t, os.MkdirAll(telemetry, 0o755))
	check(t, os.WriteFile(filepath.Join(telemetry, "mode"), []byte("off"), 0o644))
	return &job{
		checkout: checkout, temp: temp, home: home,
		env: make(map[string]string), values: make(map[string]string),
	}
}

func needs(t *testing.T, tools ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs shells")
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s", tool)
		}
	}
}

var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

// evaluate puts values in the place of expressions, empty ones for what the event
// does not have.
func (j *job) evaluate(t *testing.T, text string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		for name := range strings.SplitSeq(expression.FindStringSubmatch(e)[1], " || ") {
			value, ok := j.values[name]
			if !ok && !strings.HasPrefix(name, "github.event.") && !strings.HasPrefix(name, "steps.") {
				t.Fatalf("no value for %s", e)
			}
			if value != "" {
				return value
			}
		}
		return ""
	})
}

// run runs the action as GitHub's runner does, and gives the exit status of the
// step that failed, 0 if none did. Actions that it uses are skipped.
func (j *job) run(t *testing.T) int {
	t.Helper()
	a := readAction(t)
	for name, input := range a.Inputs {
		if _, ok := j.values["inputs."+name]; !ok {
			j.values["inputs."+name] = j.evaluate(t, input.Default)
		}
	}
	failed := 0
	for _, s := range a.Runs.Steps {
		if s.Run == "" || failed != 0 && s.If != "${{ !cancelled() }}" {
			continue
		}
		if status := j.step(t, s); failed == 0 {
			failed = status
		}
	}
	return failed
}

// step runs one step, and keeps its outputs.
func (j *job) step(t *testing.T, s step) int {
	t.Helper()
	output := filepath.Join(j.temp, "output")
	script := filepath.Join(j.temp, "step.sh")
	write(t, output, "")
	write(t, script, s.Run)
	root, err := filepath.Abs("..")
	check(t, err)
	env := map[string]string{
		"GITHUB_ACTION_PATH": root, "GITHUB_OUTPUT": output, "GITHUB_STEP_SUMMARY": filepath.Join(j.temp, "summary"),
		"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "o/r", "RUNNER_TEMP": filepath.Join(j.temp, "runner"),
		"RUNNER_ENVIRONMENT": "github-hosted",
	}
	maps.Copy(env, j.env)
	for name, value := range s.Env {
		env[name] = j.evaluate(t, value)
	}
	dir := filepath.Join(j.checkout, j.evaluate(t, s.WorkingDirectory))
	status := j.command(t, dir, env, "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	data, err := os.ReadFile(output)
	check(t, err)
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		j.values["steps."+s.ID+".outputs."+name] = value
	}
	return status
}

// command runs a command of a job, with an environment that has nothing of the
// user's but what finds programs and Go's caches.
func (j *job) command(t *testing.T, dir string, env map[string]string, name string, args ...string) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(clean(), "HOME="+j.home)
	for _, name := range slices.Sorted(maps.Keys(env)) {
		cmd.Env = append(cmd.Env, name+"="+env[name])
	}
	cmd.Stdout, cmd.Stderr = &j.log, &j.log
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// clean is the environment of every command of these tests.
var clean = sync.OnceValue(func() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "LANG=C", "TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=",
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		out, err := exec.Command("go", "env", name).Output()
		if err == nil {
			env = append(env, name+"="+strings.TrimSpace(string(out)))
		}
	}
	return slices.Clip(env)
})

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(name), 0o755))
	check(t, os.WriteFile(name, []byte(text), 0o644))
}

// git runs git in a directory and gives what it prints.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir, cmd.Env = dir, clean()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestActionHasNoInjection looks for values of others in scripts: they belong into
// variables, where the shell does not read them as code.
func TestActionHasNoInjection(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) < 5 {
		t.Fatalf("read %+v", a.Runs)
	}
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %q has an expression in its script", s.Name)
		}
		if s.Run != "" && s.Shell != "bash" {
			t.Errorf("step %q runs in the shell %q", s.Name, s.Shell)
		}
	}
}
