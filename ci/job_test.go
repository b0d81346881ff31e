package ci_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The subject: ten benchmarks of codec, one of which reaches sum, and ten of a
// package that is the same at both ends.
var base = map[string]string{
	"go.mod":            "module example.com/m\n\ngo 1.22\n",
	"codec/codec.go":    "package codec\n\nfunc sum(data []byte) int {\n\tn := 0\n\tfor _, b := range data {\n\t\tn = n*31 + int(b)\n\t}\n\treturn n\n}\n\nfunc size(data []byte) int {\n\tn := 0\n\tfor range data {\n\t\tn++\n\t}\n\treturn n\n}\n",
	"codec/c_test.go":   "package codec\n\nimport \"testing\"\n\nvar sink int\nvar data = make([]byte, 10_000)\n\nfunc BenchmarkSum(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tsink += sum(data)\n\t}\n}\n\nfunc loop(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tsink += size(data)\n\t}\n}\n" + benchmarks(9),
	"other/all_test.go": "package other\n\nimport \"testing\"\n\nfunc loop(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t}\n}\n" + benchmarks(10),
}

func benchmarks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("\nfunc Benchmark" + string(rune('A'+i)) + "(b *testing.B) { loop(b) }\n")
	}
	return b.String()
}

// slow is sum, eight times over.
var slow = map[string]string{
	"codec/codec.go": strings.Replace(strings.Replace(base["codec/codec.go"], "\tfor _, b := range data {", "\tfor range 8 {\n\t\tfor _, b := range data {", 1), "int(b)\n\t}", "int(b)\n\t\t}\n\t}", 1),
}

// clean is the same code, with other words about it.
var reworded = map[string]string{"codec/codec.go": "// Package codec is clean.\n" + base["codec/codec.go"]}

// pullRequest is the job of pull request 7, from a shallow checkout.
func pullRequest(t *testing.T, head map[string]string) (*job, *comments) {
	t.Helper()
	needs(t, "go", "curl", "jq")
	h := newHistory(t, 5, 60, 70, base, head)
	forge := &comments{}
	server := httptest.NewServer(forge)
	t.Cleanup(server.Close)
	j := newJob(t, h.checkout(t, h.head, 1))
	j.env = map[string]string{"GITHUB_BASE_REF": "main", "GITHUB_API_URL": server.URL}
	j.values = map[string]string{
		"github.token": "secret", "runner.os": "Linux", "runner.arch": "X64",
		"github.event.pull_request.number": "7", "github.event.pull_request.head.repo.full_name": "o/r",
	}
	return j, forge
}

// TestActionClean goes the whole way of a pull request that changes nothing that
// any of its twenty benchmarks reaches.
func TestActionClean(t *testing.T) {
	j, forge := pullRequest(t, reworded)
	before := untouched(t, j.checkout)
	if status := j.run(t); status != 0 {
		t.Fatalf("exit status %d:\n%s", status, &j.log)
	}
	if after := untouched(t, j.checkout); after != before {
		t.Errorf("the checkout was\n%s\nis\n%s", before, after)
	}
	summary, err := os.ReadFile(filepath.Join(j.temp, "summary"))
	if err != nil || !strings.Contains(string(summary), "no change reaches any of 20 benchmarks") {
		t.Errorf("summary: %s, %v", summary, err)
	}
	if j.values["steps.pinpoint.outputs.status"] != "0" || len(forge.bodies) != 0 {
		t.Errorf("outputs %v, comments %q", j.values, forge.bodies)
	}
	if strings.Contains(j.log.String(), "building") {
		t.Errorf("something was built:\n%s", &j.log)
	}
	trees, err := filepath.Glob(filepath.Join(j.home, ".cache", "pinpoint-action", "pinpoint", "trees", "*", "c*"))
	if err != nil || len(trees) != 1 || !strings.HasSuffix(trees[0], "c"+j.values["steps.base.outputs.commit"]) {
		t.Errorf("the cache keeps %v of the trees, %v", trees, err)
	}
}

// TestActionRed goes the whole way of a pull request that makes one of twenty
// benchmarks slower: to the annotated culprit, a comment, and a red build. A second
// push updates the comment.
func TestActionRed(t *testing.T) {
	if os.Getenv("PINPOINT_THOROUGH") == "" {
		t.Skip("measures; set PINPOINT_THOROUGH to run it")
	}
	j, forge := pullRequest(t, slow)
	j.values["inputs.fail-above"] = "50%"
	j.values["inputs.arguments"] = "--min-effect\n90%\n--alpha\n10%\n--seed\n1"
	if status := j.run(t); status != 1 {
		t.Fatalf("exit status %d:\n%s", status, &j.log)
	}
	if !strings.Contains(j.log.String(), "\n::error file=codec/codec.go,line=3,") {
		t.Errorf("no annotation:\n%s", &j.log)
	}
	if len(forge.bodies) != 1 || !strings.HasPrefix(forge.bodies[0], "<!-- pinpoint -->\n") || !strings.Contains(forge.bodies[0], "`codec.sum`") {
		t.Errorf("comments: %q", forge.bodies)
	}
	data, err := os.ReadFile(filepath.Join(j.values["steps.pinpoint.outputs.directory"], "pinpoint.json"))
	check(t, err)
	var suite struct {
		Benchmarks []struct {
			Name, Outcome string
			Report        *struct{ Culprits []struct{ Function string } }
		}
	}
	check(t, json.Unmarshal(data, &suite))
	for _, b := range suite.Benchmarks {
		if want := map[bool]string{true: "regression", false: "unselected"}[b.Name == "BenchmarkSum"]; b.Outcome != want {
			t.Errorf("%s is %s, want %s", b.Name, b.Outcome, want)
		}
		if b.Name == "BenchmarkSum" && (b.Report == nil || len(b.Report.Culprits) != 1 || b.Report.Culprits[0].Function != "example.com/m/codec.sum") {
			t.Errorf("culprits of %s: %+v", b.Name, b.Report)
		}
	}

	// What made it slow is taken back.
	for name, text := range base {
		write(t, filepath.Join(j.checkout, name), text)
	}
	git(t, j.checkout, "commit", "-q", "-a", "-m", "take it back")
	if status := j.run(t); status != 0 {
		t.Fatalf("exit status %d:\n%s", status, &j.log)
	}
	if len(forge.bodies) != 1 || !strings.Contains(forge.bodies[0], "no change reaches any of 20 benchmarks") {
		t.Errorf("comments: %q", forge.bodies)
	}
}

// TestGitLab runs the scripts of the template's job, but for the installation.
func TestGitLab(t *testing.T) {
	needs(t, "go", "bash", "git")
	data, err := os.ReadFile("gitlab.yml")
	check(t, err)
	deepen, err := os.ReadFile("deepen.sh")
	check(t, err)
	var doc map[string]struct {
		Variables    map[string]string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		Artifacts    struct{ Reports map[string]string }
		Cache        struct{ Key string }
	}
	check(t, yaml.Unmarshal(data, &doc))
	tmpl, ok := doc["pinpoint"]
	if !ok || len(tmpl.BeforeScript) != 5 || !strings.HasPrefix(tmpl.BeforeScript[1], "go install ") {
		t.Fatalf("read %+v", doc)
	}
	// What one merge request leaves in the cache, no other one takes up.
	if !strings.Contains(tmpl.Cache.Key, "$CI_MERGE_REQUEST_IID") {
		t.Errorf("the cache's key is %s", tmpl.Cache.Key)
	}
	if want := "cat >pinpoint-report/deepen.sh <<'DEEPEN'\n" + string(deepen) + "DEEPEN\n"; tmpl.BeforeScript[3] != want {
		t.Errorf("the template's deepen.sh is not ci/deepen.sh:\n%s", tmpl.BeforeScript[3])
	}
	h := newHistory(t, 5, 20, 60, base, reworded)
	j := newJob(t, h.checkout(t, h.head, 20))
	env := map[string]string{"CI_PROJECT_DIR": j.checkout, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_PIPELINE_SOURCE": "merge_request_event", "GOPATH": filepath.Join(j.temp, "go")}
	for name, value := range tmpl.Variables {
		env[name] = os.Expand(value, func(name string) string { return env[name] })
	}
	// The template's own cache is new, and it would take a minute to fill it.
	delete(env, "GOCACHE")
	if status := j.command(t, "..", nil, "go", "build", "-o", filepath.Join(env["GOPATH"], "bin", "pinpoint"), "./cmd/pinpoint"); status != 0 {
		t.Fatal(j.log.String())
	}
	script := filepath.Join(j.temp, "job.sh")
	write(t, script, strings.Join(slices.Concat(tmpl.BeforeScript[:1], tmpl.BeforeScript[2:], tmpl.Script), "\n"))
	if status := j.command(t, j.checkout, env, "bash", "-eo", "pipefail", script); status != 2 || !strings.Contains(j.log.String(), "set PINPOINT_VERSION") {
		t.Errorf("exit status %d without a version:\n%s", status, &j.log)
	}
	env["PINPOINT_VERSION"] = "v1.0.0"
	if status := j.command(t, j.checkout, env, "bash", "-eo", "pipefail", script); status != 0 {
		t.Fatalf("exit status %d:\n%s", status, &j.log)
	}
	if !strings.Contains(j.log.String(), "no change reaches any of 20 benchmarks") {
		t.Errorf("printed:\n%s", &j.log)
	}
	if junit, err := os.ReadFile(filepath.Join(j.checkout, tmpl.Artifacts.Reports["junit"])); err != nil || !strings.Contains(string(junit), `tests="20"`) {
		t.Errorf("test report: %s, %v", junit, err)
	}
}
