package instrument

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the tests get into testdata")

// TestRewrite rewrites the programs in testdata with all calls probed, and runs
// them before and after. A program is to print the same, and each probe to
// count as many calls as the program makes. See testdata/README.
func TestRewrite(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			testRewrite(t, name)
		})
	}
}

func testRewrite(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var inputs []txtar.File
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "want/") {
			continue
		}
		inputs = append(inputs, f)
		write(t, filepath.Join(dir, f.Name), f.Data)
	}
	if !slices.ContainsFunc(inputs, func(f txtar.File) bool { return f.Name == "go.mod" }) {
		write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"))
	}
	files := load(t, dir, nil, ".")["example.com/m"]
	changed, asked, refused, err := All(files, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	var flags []string
	if flag, ok := NeedsLang(files[0]); ok {
		flags = append(flags, flag)
	}
	overlay := "-overlay=" + overlayOf(t, changed)
	before := run(t, build(t, dir, flags...), nil)
	board := allOn(t, len(asked)+1)
	after := run(t, build(t, dir, append(flags, overlay)...), board.File())
	if before != after {
		t.Errorf("printed %q, with probes %q", before, after)
	}
	if !testing.Short() {
		raced := run(t, build(t, dir, append(flags, overlay, "-race", "-cover")...), nil)
		raced = strings.ReplaceAll(raced, "warning: GOCOVERDIR not set, no coverage data emitted\n", "")
		if raced != before {
			t.Errorf("printed %q, with probes, race detector and coverage %q", before, raced)
		}
	}
	got := &txtar.Archive{Comment: archive.Comment, Files: inputs}
	for _, f := range slices.Sorted(maps.Keys(changed)) {
		got.Files = append(got.Files, txtar.File{Name: "want/" + filepath.Base(f), Data: changed[f]})
	}
	got.Files = append(got.Files, txtar.File{Name: "want/calls", Data: counts(files, asked, refused, board.Totals())})
	compare(t, name, got)
}

// counts lists each probe with its count, or with the reason against it. What
// cgo wrote is left out.
func counts(files []File, asked []CallProbe, refused []Refusal, parts []Part) []byte {
	var b bytes.Buffer
	for _, p := range asked {
		result := fmt.Sprint(parts[p.ID].Calls)
		if i := slices.IndexFunc(refused, func(r Refusal) bool { return r.ID == p.ID }); i >= 0 {
			result = refused[i].Reason
		}
		if result != reasonCgoOutput {
			fmt.Fprintf(&b, "%s => %s\n", describe(files, p), result)
		}
	}
	return b.Bytes()
}

// describe gives a call's line and text.
func describe(files []File, p CallProbe) string {
	for _, f := range files {
		if f.Syntax.FileStart <= p.Call.Pos() && p.Call.Pos() < f.Syntax.FileEnd {
			from, to := f.Fset.PositionFor(p.Call.Pos(), false), f.Fset.PositionFor(p.Call.End(), false)
			return fmt.Sprintf("%d: %s", from.Line, oneLine(f.Src[from.Offset:to.Offset]))
		}
	}
	return "?"
}

func compare(t *testing.T, name string, got *txtar.Archive) {
	t.Helper()
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(txtar.Format(got), want) {
		return
	}
	if *update {
		write(t, name, txtar.Format(got))
		return
	}
	old := txtar.Parse(want)
	for _, f := range got.Files {
		i := slices.IndexFunc(old.Files, func(o txtar.File) bool { return o.Name == f.Name })
		if i < 0 {
			t.Errorf("%s is new:\n%s", f.Name, f.Data)
			continue
		}
		w, g := strings.Split(string(old.Files[i].Data), "\n"), strings.Split(string(f.Data), "\n")
		for i := range min(len(w), len(g)) {
			if w[i] != g[i] {
				t.Errorf("%s:%d:\n got %s\nwant %s", f.Name, i+1, g[i], w[i])
			}
		}
		if len(w) != len(g) {
			t.Errorf("%s: got %d lines, want %d", f.Name, len(g), len(w))
		}
	}
}

func build(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "prog")
	out, err := goCommand(t.Context(), dir, slices.Concat([]string{"build", "-o", exe}, flags, []string{"."})...)
	if err != nil {
		t.Fatalf("go build %v: %v\n%s", flags, err, out)
	}
	return exe
}

// run returns what a program printed, and how it ended.
func run(t *testing.T, exe string, board *os.File) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), exe)
	if board != nil {
		cmd.ExtraFiles = []*os.File{board}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return string(out)
}

// allOn returns a board with this many probes switched on.
func allOn(t *testing.T, probes int) *Board {
	t.Helper()
	ids := make([]int, probes)
	for i := range ids {
		ids[i] = i
	}
	board, err := CreateBoard(filepath.Join(t.TempDir(), "board"), BoardSpec{Probes: probes, On: [][]int{ids}, Records: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { board.Close() })
	return board
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
