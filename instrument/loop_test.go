package instrument

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const loops = `package main

import "testing"

//go:noinline
func noinline(x int) int { return x }
func inline(x int) int   { return x + 1 }
func two(x int) (int, error) { return x, nil }
func void(x int)         {}

func bench(b *testing.B) {
	b.StopTimer()
	n := 3
	b.StartTimer()
	for b.Loop() {
		inline(n)
		noinline(inline(n))
		x := inline(n)
		y, err := two(x)
		void(inline(y))
		void(n)
		_ = err
		_, _ = two(inline(2))
		if z := inline(2); z > 4 {
			inline(z)
		} else if v, err := two(2); err == nil {
			n += inline(v) - 2
		}
		switch inline(1) {
		case 2:
			inline(5)
		}
		func() { inline(1) }()
	}
	b.ResetTimer()
	b.ReportMetric(1, "x")
}

func main() { testing.Init(); testing.Benchmark(bench) }
`

// TestLoopStaysAlive holds what the compiler keeps alive in the body of a
// b.Loop against what it keeps alive there with probes.
func TestLoopStaysAlive(t *testing.T) {
	if testing.Short() {
		t.Skip("builds package testing with probes")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), []byte(loops))
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"))
	changed, _, refused, err := All(load(t, dir, nil, ".")["example.com/m"], nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"b.StopTimer(): " + reasonControl, "b.StartTimer(): " + reasonControl,
		"b.Loop(): " + reasonLoop, "b.ResetTimer(): " + reasonControl,
	}
	var got []string
	for _, r := range refused {
		got = append(got, fmt.Sprintf("%s: %s", r.Text, r.Reason))
	}
	if !slices.Equal(got, want) {
		t.Errorf("refused %q, want %q", got, want)
	}
	before := keptAlive(t, dir)
	after := keptAlive(t, dir, "-overlay="+overlayOf(t, changed))
	for line, n := range before {
		if after[line] < n {
			t.Errorf("%s: %d times, with probes %d times", line, n, after[line])
		}
	}
	if len(before) < 10 {
		t.Errorf("the compiler says only %v", before)
	}
}

var keptAliveLine = regexp.MustCompile(`main\.go:(\d+):\d+: (.* will be kept alive|.*unknown to bloop.*)`)

// temporary is the number of a variable that the compiler made.
var temporary = regexp.MustCompile(`_\d+`)

// keptAlive counts what the compiler says about b.Loop, by line.
func keptAlive(t *testing.T, dir string, flags ...string) map[string]int {
	t.Helper()
	args := slices.Concat([]string{"build", "-o", filepath.Join(t.TempDir(), "prog"), "-gcflags=-m=2"}, flags, []string{"."})
	out, err := goCommand(t.Context(), dir, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(out, "moved to heap: _pinpoint") {
		t.Error("marks escape")
	}
	lines := make(map[string]int)
	for _, m := range keptAliveLine.FindAllStringSubmatch(out, -1) {
		lines[m[1]+": "+temporary.ReplaceAllString(m[2], "")]++
	}
	return lines
}
