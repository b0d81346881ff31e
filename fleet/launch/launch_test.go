package launch

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// What starts workers is a shell's, YAML's and systemd's: it is read by these, as far as
// they are here.
func TestTemplates(t *testing.T) {
	scripts, err := filepath.Glob("*.sh")
	if err != nil || len(scripts) != 2 {
		t.Fatalf("the scripts are %v, %v", scripts, err)
	}
	for _, name := range scripts {
		if out, err := exec.Command("sh", "-n", name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if path, err := exec.LookPath("shellcheck"); err == nil {
			if out, err := exec.Command(path, name).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
	}
	for name, want := range map[string]func(any) bool{
		"kubernetes.yaml": func(v any) bool {
			return at(v, "kind") == "Job" && at(v, "spec", "template", "spec", "restartPolicy") == "OnFailure"
		},
		"actions.yml": func(v any) bool { return at(v, "jobs", "worker", "runs-on") == "ubuntu-latest" },
	} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&v); err != nil || !want(v) {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
	all, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.ReplaceAll(string(data), ", ", " "); !strings.HasSuffix(name, ".go") && !strings.Contains(text, "worker --join") {
			t.Errorf("%s starts no worker", name)
		}
	}
}

// at is a value in maps of maps.
func at(v any, keys ...string) any {
	for _, key := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}
