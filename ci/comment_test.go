package ci_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// comments is the part of GitHub that comments of pull request 7 of o/r need.
type comments struct {
	mu       sync.Mutex
	bodies   []string // of comment 1, 2...
	strange  []bool   // comment i+1 is of somebody else; nil: none is
	viewer   string   // whom the token is of; "": it may not ask
	requests []string
	refuse   int // status of every request that writes; 0: none is refused
}

func (c *comments) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests = append(c.requests, r.Method+" "+r.URL.String())
	if r.Header.Get("Authorization") != "Bearer secret" {
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	if c.refuse != 0 && r.URL.Path != "/graphql" && r.Method != http.MethodGet {
		http.Error(w, `{"message":"Resource not accessible by integration"}`, c.refuse)
		return
	}
	if r.URL.Path == "/graphql" {
		if c.viewer == "" {
			http.Error(w, `{"message":"Resource not accessible by integration"}`, http.StatusForbidden)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{"viewer": map[string]any{"login": c.viewer}}})
		return
	}
	var in struct{ Body string }
	if r.Method != http.MethodGet {
		data, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(data, &in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	var id int
	switch n, _ := fmt.Sscanf(r.URL.Path, "/repos/o/r/issues/comments/%d", &id); {
	case n == 1 && r.Method == http.MethodPatch && id <= len(c.bodies):
		c.bodies[id-1] = in.Body
	case r.URL.Path == "/repos/o/r/issues/7/comments" && r.Method == http.MethodPost:
		c.bodies = append(c.bodies, in.Body)
		id = len(c.bodies)
	case r.URL.Path == "/repos/o/r/issues/7/comments":
		c.page(w, r.URL.Query().Get("page"))
		return
	default:
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(map[string]any{"id": id})
}

// page lists a hundred of the comments.
func (c *comments) page(w io.Writer, number string) {
	var page int
	fmt.Sscan(number, &page)
	list := []map[string]any{}
	for i := (page - 1) * 100; i < min(page*100, len(c.bodies)); i++ {
		user := map[string]any{"login": cmp.Or(c.viewer, "github-actions[bot]"), "type": "Bot"}
		if i < len(c.strange) && c.strange[i] {
			user = map[string]any{"login": "github-actions", "type": "User"}
		}
		list = append(list, map[string]any{"id": i + 1, "body": c.bodies[i], "user": user})
	}
	json.NewEncoder(w).Encode(list)
}

const said = "<!-- pinpoint -->\n### pinpoint: \"1 regression\" $HOME `x` \\ é\n"

func TestComment(t *testing.T) {
	needs(t, "bash", "curl", "jq")
	old := "<!-- pinpoint -->\nold"
	many := make([]string, 150)
	for i := range many {
		many[i] = "chatter that quotes <!-- pinpoint -->"
	}
	for _, c := range []struct {
		name    string
		there   []string
		env     map[string]string
		refuse  int
		strange []bool
		viewer  string
		body    string
		want    []string // comments afterwards
		text    string
	}{
		{name: "first", there: many[:2], want: append(many[:2:2], said), text: "comment 3 is posted"},
		{name: "again", there: []string{"hello", old}, want: []string{"hello", said}, text: "comment 2 is up to date"},
		{name: "on the second page", there: append(many[:140:140], old, "hello"), want: append(many[:140:140], said, "hello"), text: "comment 141"},
		{name: "well, after it was not", there: []string{old}, env: map[string]string{"PINPOINT_STATUS": "0"}, want: []string{said}},
		{name: "well all along", env: map[string]string{"PINPOINT_STATUS": "0"}, text: "nothing got slower"},
		{name: "of somebody else", there: []string{old}, strange: []bool{true}, want: []string{old, said}, text: "comment 2 is posted"},
		{name: "of somebody else before ours", there: []string{old, old}, strange: []bool{true, false}, want: []string{old, said}, text: "comment 2 is up to date"},
		{name: "by a person's token", viewer: "alice", there: []string{old, old}, strange: []bool{true, false}, want: []string{old, said}, text: "comment 2 is up to date"},
		{name: "too long", body: said + strings.Repeat("x", 65536), text: "more than 65536 bytes"},
		{name: "fork", env: map[string]string{"PINPOINT_HEAD_REPOSITORY": "someone/r"}, text: "the branch is a fork's"},
		{name: "no pull request", env: map[string]string{"PINPOINT_PULL": ""}, text: "this job is of no pull request"},
		{name: "not wanted", env: map[string]string{"PINPOINT_COMMENT": "false"}},
		{name: "no token", env: map[string]string{"PINPOINT_TOKEN": ""}, text: "there is no token"},
		{name: "wrong token", env: map[string]string{"PINPOINT_TOKEN": "other"}, text: "can't be read"},
		{name: "may not write", refuse: http.StatusForbidden, text: "pull-requests: write"},
		{name: "may not edit", there: []string{old}, refuse: http.StatusForbidden, want: []string{old}, text: "pull-requests: write"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			forge := &comments{bodies: append([]string(nil), c.there...), refuse: c.refuse, strange: c.strange, viewer: c.viewer}
			server := httptest.NewServer(forge)
			defer server.Close()
			j := newJob(t, t.TempDir())
			write(t, filepath.Join(j.temp, "out", "comment.md"), cmp.Or(c.body, said))
			env := map[string]string{
				"GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "o/r", "PINPOINT_HEAD_REPOSITORY": "o/r",
				"PINPOINT_PULL": "7", "PINPOINT_TOKEN": "secret", "PINPOINT_OUT": filepath.Join(j.temp, "out"), "PINPOINT_STATUS": "1",
			}
			for name, value := range c.env {
				env[name] = value
			}
			script, err := filepath.Abs("comment.sh")
			check(t, err)
			if status := j.command(t, j.checkout, env, script); status != 0 {
				t.Errorf("exit status %d:\n%s", status, &j.log)
			}
			if !strings.Contains(j.log.String(), c.text) || strings.Contains(j.log.String(), "secret") {
				t.Errorf("no %q, or the token, in:\n%s", c.text, &j.log)
			}
			if fmt.Sprintf("%q", forge.bodies) != fmt.Sprintf("%q", c.want) {
				t.Errorf("comments are %q, want %q; requests: %q", forge.bodies, c.want, forge.requests)
			}
		})
	}
}

// TestGuard: no job with rights measures the code of strangers.
func TestGuard(t *testing.T) {
	needs(t, "bash", "git")
	for _, c := range []struct {
		name, event, head string
		kept              bool // the checkout's token is in its configuration
		want              int
		text              string
	}{
		{name: "pull request of a branch", event: "pull_request", head: "o/r"},
		{name: "pull request of a fork", event: "pull_request", head: "mallory/r"},
		{name: "push", event: "push"},
		{name: "own branch with secrets", event: "pull_request_target", head: "o/r"},
		{name: "fork with secrets", event: "pull_request_target", head: "mallory/r", want: 2, text: "would run code of mallory/r"},
		{name: "fork that is gone", event: "pull_request_target", want: 2, text: "an unknown repository"},
		{name: "fork after its workflow", event: "workflow_run", head: "mallory/r", want: 2, text: "would run code of mallory/r"},
		{name: "fork with the checkout's token", event: "pull_request", head: "mallory/r", kept: true, want: 2, text: "persist-credentials: false"},
		{name: "branch with the checkout's token", event: "pull_request", head: "o/r", kept: true, text: "persist-credentials: false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			git(t, dir, "init", "-q")
			if c.kept {
				git(t, dir, "config", "http.https://github.com/.extraheader", "AUTHORIZATION: basic c2VjcmV0")
			}
			j := newJob(t, dir)
			j.env["GITHUB_EVENT_NAME"] = c.event
			j.values["github.event.pull_request.head.repo.full_name"] = c.head
			j.values["inputs.working-directory"] = "."
			a := readAction(t)
			if status := j.step(t, a.Runs.Steps[0]); status != c.want || !strings.Contains(j.log.String(), c.text) {
				t.Errorf("exit status %d, want %d; said:\n%s", status, c.want, &j.log)
			}
		})
	}
}
