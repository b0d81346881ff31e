package ci_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// forge is what publish.sh asks of GitHub: pull requests and artifacts, beside comments.
type forge struct {
	comments
	head     string // of the open pull request 7
	artifact []byte
	size     int // that is said; 0: as it is
	asked    string
}

func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reply := func(v any) { json.NewEncoder(w).Encode(v) }
	switch r.URL.Path {
	case "/repos/o/r/pulls":
		f.asked = r.URL.Query().Get("head")
		reply([]any{
			map[string]any{"number": 6, "head": map[string]any{"sha": "other"}},
			map[string]any{"number": 7, "head": map[string]any{"sha": f.head}},
		})
	case "/repos/o/r/actions/runs/5/artifacts":
		list := []any{}
		if f.artifact != nil {
			size := f.size
			if size == 0 {
				size = len(f.artifact)
			}
			list = append(list, map[string]any{"id": 9, "expired": false, "size_in_bytes": size})
		}
		reply(map[string]any{"artifacts": list})
	case "/repos/o/r/actions/artifacts/9/zip":
		w.Write(f.artifact)
	default:
		f.comments.ServeHTTP(w, r)
	}
}

// zipped is an artifact.
func zipped(t *testing.T, name string, content io.Reader) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	check(t, err)
	_, err = io.Copy(w, content)
	check(t, err)
	check(t, z.Close())
	return b.Bytes()
}

// TestPublish: of what a job without rights left, no more than a report gets into a
// comment, and no Markdown.
func TestPublish(t *testing.T) {
	needs(t, "go", "bash", "curl", "jq", "unzip")
	bin := filepath.Join(t.TempDir(), "pinpoint")
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/pinpoint").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	red, err := os.ReadFile(filepath.Join("..", "report", "testdata", "suite", "red.json"))
	check(t, err)
	evil := bytes.ReplaceAll(red, []byte("BenchmarkEncode"), []byte(`Benchmark</details>@everyone [x](https://evil.example) \u001b[31m`))
	zeros := func() io.Reader { return io.LimitReader(zero{}, 65<<20) }
	for _, c := range []struct {
		name     string
		artifact []byte
		size     int
		moved    bool
		branch   string
		text     string
		posted   bool
		lacks    []string
	}{
		{name: "report", artifact: zipped(t, "pinpoint.json", bytes.NewReader(red)), text: "comment 1 is posted", posted: true},
		{name: "hostile names", artifact: zipped(t, "pinpoint.json", bytes.NewReader(evil)), text: "comment 1 is posted", posted: true, lacks: []string{"</details>@", "\x1b", "](https:/"}},
		{name: "hostile branch", branch: "x&state=closed\"';rm -rf /", artifact: zipped(t, "pinpoint.json", bytes.NewReader(red)), text: "comment 1 is posted", posted: true},
		{name: "none", text: "the job left no artifact"},
		{name: "Markdown", artifact: zipped(t, "pinpoint.json", strings.NewReader("<!-- pinpoint -->\n@everyone")), text: "holds no report"},
		{name: "other JSON", artifact: zipped(t, "pinpoint.json", strings.NewReader(`{"a": 1}`)), text: "holds no report"},
		{name: "another file", artifact: zipped(t, "../../comment.md", strings.NewReader("x")), text: "holds no report"},
		{name: "no archive", artifact: []byte("PK"), text: "holds no report"},
		{name: "bomb", artifact: zipped(t, "pinpoint.json", zeros()), text: "has more than 67108864 bytes"},
		{name: "large", size: 5 << 20, artifact: zipped(t, "pinpoint.json", bytes.NewReader(red)), text: "has more than 4194304 bytes"},
		{name: "larger than it says", size: 1, artifact: bytes.Repeat([]byte("x"), 5<<20), text: "pinpoint: no comment: the artifact"},
		{name: "moved on", moved: true, artifact: zipped(t, "pinpoint.json", bytes.NewReader(red)), text: "no open pull request has this head"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := &forge{head: "abc", artifact: c.artifact, size: c.size}
			if c.moved {
				f.head = "def"
			}
			server := httptest.NewServer(f)
			defer server.Close()
			j := newJob(t, t.TempDir())
			branch := c.branch
			if branch == "" {
				branch = "topic"
			}
			env := map[string]string{
				"GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "o/r", "PINPOINT_TOKEN": "secret", "PINPOINT_ARTIFACT": "pinpoint",
				"PINPOINT_RUN": "5", "PINPOINT_HEAD": "abc", "PINPOINT_OWNER": "mallory", "PINPOINT_BRANCH": branch,
				"PINPOINT_BIN": bin, "PINPOINT_OUT": filepath.Join(j.temp, "out"),
			}
			script, err := filepath.Abs("publish.sh")
			check(t, err)
			if status := j.command(t, j.checkout, env, script); status != 0 || !strings.Contains(j.log.String(), c.text) || strings.Contains(j.log.String(), "secret") {
				t.Errorf("exit status %d, want %q in:\n%s", status, c.text, &j.log)
			}
			if f.asked != "mallory:"+branch {
				t.Errorf("asked for the pull requests of %q", f.asked)
			}
			if posted := len(f.bodies) == 1; posted != c.posted {
				t.Fatalf("comments: %q", f.bodies)
			}
			for _, body := range f.bodies {
				if !strings.HasPrefix(body, "<!-- pinpoint -->\n### pinpoint: 2 regressions above 5 %") || len(body) > 65536 {
					t.Errorf("the comment is %.300s", body)
				}
				prose := code.ReplaceAllString(body, "")
				for _, s := range c.lacks {
					if strings.Contains(prose, s) {
						t.Errorf("%q in the comment:\n%s", s, body)
					}
				}
			}
		})
	}
}

// code is what Markdown takes as it is.
var code = regexp.MustCompile("(?sm)^(```+)text\n.*?\n```+$|`[^`\n]+`")

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }
