package ci_test

import (
	"strings"
	"testing"
)

// TestCacheKeys: what a job saves is restored by later ones of the same pull request or
// branch, and by pull requests to that branch, also where GitHub itself would give it to
// others. Every key has the base revision and the versions of the modules.
func TestCacheKeys(t *testing.T) {
	pull := func(number, to string) map[string]string {
		return map[string]string{"github.event.pull_request.number": number, "github.ref": "refs/pull/" + number + "/merge", "github.base_ref": to}
	}
	target := func(number, to string) map[string]string {
		return map[string]string{"github.event.pull_request.number": number, "github.ref": "refs/heads/" + to, "github.base_ref": to}
	}
	push := func(branch string) map[string]string {
		return map[string]string{"github.ref": "refs/heads/" + branch, "github.base_ref": ""}
	}
	owners := []struct {
		name, to string // to: where it is to go
		values   map[string]string
	}{
		{"pull 7", "main", pull("7", "main")}, {"pull 70", "main", pull("70", "main")}, {"pull 77", "7", pull("77", "7")},
		{"pull 8 with rights", "main", target("8", "main")}, {"pull 80 with rights", "main", target("80", "main")},
		{"main", "", push("main")}, {"main-x", "", push("main-x")}, {"7", "", push("7")}, {"pull/7/merge", "", push("pull/7/merge")},
		{"a workflow after another", "", map[string]string{"github.event.workflow_run.head_sha": strings.Repeat("7", 40), "github.ref": "refs/heads/main", "github.base_ref": ""}},
	}
	var with map[string]string
	for _, s := range readAction(t).Runs.Steps {
		if strings.HasPrefix(s.Uses, "actions/cache@") {
			with = s.With
		}
	}
	keys := func(values map[string]string, base, sum string) (key string, restored []string) {
		j := &job{values: map[string]string{"runner.os": "Linux", "runner.arch": "X64", "steps.base.outputs.commit": base, "hashFiles('**/go.sum')": sum}}
		for name, value := range values {
			j.values[name] = value
		}
		key = j.evaluate(t, with["key"])
		return key, append(strings.Fields(j.evaluate(t, with["restore-keys"])), key)
	}
	for _, from := range owners {
		saved, _ := keys(from.values, "abc", "1")
		for _, other := range [][2]string{{"abd", "1"}, {"abc", "2"}} {
			if key, _ := keys(from.values, other[0], other[1]); key == saved {
				t.Errorf("%s: the key is %s, whatever base and modules are", from.name, key)
			}
		}
		for _, by := range owners {
			_, restored := keys(by.values, "abc", "1")
			got := false
			for _, prefix := range restored {
				got = got || strings.HasPrefix(saved, prefix)
			}
			if want := from.name == by.name || from.name == by.to; got != want {
				t.Errorf("what %s saved as %s is restored by %s: %v, by %q", from.name, saved, by.name, got, restored)
			}
		}
	}
}
