package revert

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
)

// scene is a pair of revisions: an archive of good/ and bad/, with what to
// revert and what to expect in its comment, one "word: value" a line:
//
//	want:      names of what is reverted; of a hunk the function's, # and its number
//	level:     of the plan that Try arrives at
//	functions, hunks, decls, fields, removed: the plan's lists, in any order; absent means empty
//	refused:   part of the error, instead of all these
//	extended:  import paths of packages whose source is loaded, too
//	suspects:  the names that Suspects gives, in its order; absent means any
//
// The file "stdout" is what bad's program prints under the plan.
type scene struct {
	header    map[string]string
	good, bad *callgraph.Program
	badDir    string
	stdout    string
}

func (s scene) list(word string) []string { return strings.Fields(s.header[word]) }

func (s scene) want(t *testing.T, between *change.Change) (want []change.Suspect, hunks []Hunk) {
	for _, name := range s.list("want") {
		function, number, isHunk := strings.Cut(name, "#")
		found, err := between.Find(function)
		if err != nil {
			t.Fatal(err)
		}
		if !isHunk {
			want = append(want, found)
			continue
		}
		all, err := Hunks(between, found)
		n, notNumber := strconv.Atoi(number)
		if err != nil || notNumber != nil || n > len(all) {
			t.Fatalf("%s: %v, there are %d", name, err, len(all))
		}
		hunks = append(hunks, all[n-1])
	}
	return want, hunks
}

func openScene(t *testing.T, name string) scene {
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s := scene{header: make(map[string]string)}
	for _, line := range strings.Split(string(ar.Comment), "\n") {
		if word, rest, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			s.header[word] = strings.TrimSpace(rest)
		}
	}
	top := t.TempDir()
	for _, f := range ar.Files {
		if f.Name == "stdout" {
			s.stdout = string(f.Data)
			continue
		}
		names := []string{f.Name}
		if rest, ok := strings.CutPrefix(f.Name, "both/"); ok {
			names = []string{"good/" + rest, "bad/" + rest}
		}
		for _, n := range names {
			n = filepath.Join(top, n)
			if err := os.MkdirAll(filepath.Dir(n), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(n, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.badDir = filepath.Join(top, "bad")
	s.good, s.bad = load(t, filepath.Join(top, "good")), load(t, s.badDir)
	for _, path := range s.list("extended") {
		for _, p := range []*callgraph.Program{s.good, s.bad} {
			if err := p.Extend(t.Context(), path); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

func load(t *testing.T, dir string) *callgraph.Program {
	p, err := callgraph.Load(t.Context(), callgraph.Config{Dir: dir, Package: ".", Tests: true, Env: environ()})
	if err != nil {
		t.Fatalf("loading %s: %v", dir, err)
	}
	return p
}

func environ() []string {
	return append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOFLAGS=", "GOTOOLCHAIN=local")
}

func TestScenes(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no scenes", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			play(t, openScene(t, name))
		})
	}
}

func play(t *testing.T, s scene) {
	before := digest(t, s.badDir)
	between := change.Between(s.good, s.bad)
	if want := s.list("suspects"); len(want) > 0 {
		var got []string
		for _, s := range between.Suspects() {
			got = append(got, s.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("suspects %q, want %q", got, want)
		}
	}
	plan, below, err := try(t, s, between)
	if refused := s.header["refused"]; refused != "" {
		if err == nil || !strings.Contains(err.Error(), refused) {
			t.Errorf("got %v, want an error with %q", err, refused)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if plan.Level.String() != s.header["level"] {
		t.Errorf("level %v, want %s", plan.Level, s.header["level"])
	}
	sameSet(t, "functions", plan.Functions, s.list("functions"))
	sameSet(t, "hunks", plan.Hunks, s.list("hunks"))
	sameSet(t, "decls", plan.Decls, s.list("decls"))
	sameSet(t, "fields", plan.Fields, s.list("fields"))
	sameSet(t, "removed", plan.Removed, s.list("removed"))
	if after := digest(t, s.badDir); after != before {
		t.Error("bad's tree has changed")
	}
	linesStay(t, s.bad, plan)
	everyLevel(t, s, between)
	if t.Failed() {
		t.Log(below)
		for name, text := range plan.Files {
			t.Logf("-- %s\n%s", name, text)
		}
	}
}

// everyLevel composes more than is needed, which must compile as well.
func everyLevel(t *testing.T, s scene, between *change.Change) {
	want, hunks := s.want(t, between)
	for level := Helpers; level <= Package; level++ {
		if _, err := ComposeHunks(between, want, hunks, level); err != nil {
			t.Errorf("%v: %v", level, err)
		}
	}
}

// try builds and runs every plan; what the program prints decides nothing
// about accepting it, since a plan that compiles must also be right.
func try(t *testing.T, s scene, between *change.Change) (plan Plan, below, err error) {
	want, hunks := s.want(t, between)
	builds := 0
	if _, below = ComposeHunks(between, want, hunks, Helpers); below == nil {
		_, below = ComposeHunks(between, want, hunks, Alone)
	}
	build := func(ctx context.Context, p Plan) error {
		builds++
		overlay := writeOverlay(t, p)
		if out, err := goCommand(ctx, s.badDir, "test", "-vet=off", "-overlay="+overlay, "-run=^$", "./..."); err != nil {
			return fmt.Errorf("%s", out)
		}
		out, err := goCommand(ctx, s.badDir, "run", "-overlay="+overlay, ".")
		if err != nil {
			t.Errorf("running: %v\n%s", err, out)
		}
		if string(out) != s.stdout {
			t.Errorf("stdout %q, want %q", out, s.stdout)
		}
		return nil
	}
	var errs []error
	for level := Alone; level <= Package; level++ {
		if plan, err = ComposeHunks(between, want, hunks, level); err == nil {
			err = build(t.Context(), plan)
		}
		if err == nil {
			break
		}
		errs = append(errs, fmt.Errorf("%v: %w", level, err))
	}
	if err != nil {
		plan, err = Plan{}, errors.Join(errs...)
	}
	if builds > 1 {
		t.Errorf("%d builds; type-checking should have found what is wrong", builds)
	}
	return plan, below, err
}

func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, environ()
	return cmd.CombinedOutput()
}

func writeOverlay(t *testing.T, p Plan) string {
	dir := t.TempDir()
	replace := make(map[string]string)
	for name, text := range p.Files {
		to := filepath.Join(dir, fmt.Sprintf("%d_%s", len(replace), filepath.Base(name)))
		if err := os.WriteFile(to, text, 0o666); err != nil {
			t.Fatal(err)
		}
		replace[name] = to
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func sameSet(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("%s %q, want %q", what, got, want)
	}
}

// linesStay checks that in bad's own files whatever is left is where it was.
func linesStay(t *testing.T, bad *callgraph.Program, p Plan) {
	for name, text := range p.Files {
		old := bad.Contents(name)
		if old == nil {
			continue
		}
		was, is := bytes.Split(old, []byte("\n")), bytes.Split(text, []byte("\n"))
		if len(was) != len(is) {
			t.Errorf("%s has %d lines, had %d", filepath.Base(name), len(is), len(was))
			continue
		}
		for i, line := range is {
			rest := strings.ReplaceAll(strings.ReplaceAll(string(line), "_", ""), " ", "")
			if !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(string(was[i]), "_", ""), " ", ""), rest) && !strings.Contains(rest, "=") && !strings.Contains(rest, `"`) {
				t.Errorf("%s:%d is %q, was %q", filepath.Base(name), i+1, line, was[i])
			}
		}
	}
}

func digest(t *testing.T, dir string) string {
	h := sha256.New()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		fmt.Fprintln(h, name)
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		h.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
