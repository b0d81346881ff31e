package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// completions are what a shell is offered behind these words.
func completions(words ...string) []string {
	var out strings.Builder
	root := rootCommand(new(int), &tracing{})
	root.SetOut(&out)
	root.SetErr(&strings.Builder{})
	root.SetArgs(append([]string{"__complete"}, words...))
	if err := root.Execute(); err != nil {
		return []string{err.Error()}
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func TestComplete(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "codec"), 0o755); err != nil {
		t.Fatal(err)
	}
	source := "package codec\nimport \"testing\"\ntype T[K any] struct{}\nfunc (t *T[K]) Encode() {}\nfunc BenchmarkEncode(b *testing.B) {}\nfunc Bench() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "codec", "codec_test.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"find", "-C", dir, "--pkg", "./codec", "--bench", "B"}, "BenchmarkEncode"},
		{[]string{"find", "-C", dir, "--pkg", "./codec", "--func", "("}, "(*T).Encode"},
		{[]string{"compare", "-C", dir, "--pkg", ""}, "./codec"},
		{[]string{"find", "-C", dir, "--good", ""}, "HEAD"},
		{[]string{"find", "--finder", "s"}, "sweep"},
		{[]string{"bisect", "--metric", "al"}, "allocs"},
		{[]string{"me"}, "measure\tmeasure benchmarks: time, memory, counts"},
	} {
		if got := completions(c.words...); !slices.Contains(got, c.want) || slices.Contains(got, "Bench") {
			t.Errorf("%q is completed by %q, want %q", c.words, got, c.want)
		}
	}
}

// Every command has a page, in which nothing but its own lines is a request to troff.
func TestManualPages(t *testing.T) {
	dir := t.TempDir()
	if err := writeManuals(rootCommand(new(int), &tracing{}), dir); err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.1"))
	if len(names) < 15 {
		t.Errorf("only %d pages: %q", len(names), names)
	}
	page, err := os.ReadFile(filepath.Join(dir, "pinpoint-find.1"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !slices.Contains([]string{".TH", ".SH", ".nf", ".fi"}, line[:3]) {
			t.Errorf("a request: %s", line)
		}
	}
	if !strings.Contains(string(page), `\-\-good revision`) || !strings.Contains(string(page), ".SH EXAMPLES") {
		t.Errorf("the page is\n%s", page)
	}
}
