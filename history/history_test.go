package history

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

// text is a result of one benchmark, with times around mean and a count.
func text(day int, host string, mean, spread float64, allocs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goos: linux\nhost: %s\ntoolchain: go1.26.8\npkg: example.com/m\nrev: HEAD\ncommit: %040d\ndate: 2026-11-%02dT10:00:00Z\n\n", host, day, day)
	for i := range 10 {
		fmt.Fprintf(&b, "BenchmarkX-2 100 %g ns/op\n", mean+spread*math.Sin(float64(5*i+day)))
	}
	for range 3 {
		fmt.Fprintf(&b, "BenchmarkX-2 10 %d allocs/op\n", allocs)
	}
	return b.String()
}

func entry(t *testing.T, content string) []Entry {
	t.Helper()
	e, err := Read(strings.NewReader(content), "test")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestCheck(t *testing.T) {
	const host = "abc"
	day := func(n int, mean float64) []Entry { return entry(t, text(n, host, mean, 1, 3)) }
	for _, test := range []struct {
		name     string
		accepted [][]Entry
		fresh    []Entry
		want     stats.Verdict
		anova    bool
	}{
		{"nothing accepted", nil, day(9, 100), stats.Unknown, false},
		{"one, the same", [][]Entry{day(1, 100)}, day(9, 100.1), stats.Same, false},
		{"one, slower", [][]Entry{day(1, 100)}, day(9, 110), stats.Slower, false},
		{"one, faster", [][]Entry{day(1, 100)}, day(9, 90), stats.Faster, false},
		{"two, the same", [][]Entry{day(1, 100), day(2, 100.2)}, day(9, 100.1), stats.Same, true},
		{"two, slower", [][]Entry{day(1, 100), day(2, 100.2)}, day(9, 110), stats.Slower, true},
		{"two, faster", [][]Entry{day(1, 100), day(2, 100.2)}, day(9, 91), stats.Faster, true},
		{"between two that differ", [][]Entry{day(1, 100), day(2, 120)}, day(9, 110), stats.Unknown, true},
		{"slower than two by less than they differ", [][]Entry{day(1, 100), day(2, 120)}, day(9, 125), stats.Unknown, true},
		{"slower than two by more than they differ", [][]Entry{day(1, 100), day(2, 120)}, day(9, 160), stats.Slower, true},
		{"only the last two count", [][]Entry{day(1, 300), day(2, 100), day(3, 100.2)}, day(9, 110), stats.Slower, true},
		{"too noisy to say", [][]Entry{entry(t, text(1, host, 100, 60, 3)), entry(t, text(2, host, 100, 60, 3))}, entry(t, text(9, host, 103, 60, 3)), stats.Unknown, true},
		{"another package", [][]Entry{entry(t, strings.Replace(text(1, host, 50, 1, 3), "/m", "/n", 1))}, day(9, 100), stats.Unknown, false},
	} {
		c, err := Rule{Last: 2}.Check(slices.Concat(test.accepted...), test.fresh)
		if err != nil {
			t.Fatal(err)
		}
		f := c.Findings[0]
		if f.Unit != "ns/op" || f.Verdict != test.want || (f.ANOVA != nil) != test.anova || f.Why == "" {
			t.Errorf("%s: %v, because %s; ANOVA %+v", test.name, f.Verdict, f.Why, f.ANOVA)
		}
	}
}

func TestCheckCounts(t *testing.T) {
	for allocs, want := range map[int]stats.Verdict{3: stats.Same, 4: stats.Slower, 2: stats.Faster} {
		c, err := Rule{}.Check(entry(t, text(1, "h", 100, 1, 3)), entry(t, text(2, "h", 100, 1, allocs)))
		if err != nil {
			t.Fatal(err)
		}
		if f := c.Findings[1]; f.Unit != "allocs/op" || f.Verdict != want {
			t.Errorf("%d allocations: %+v", allocs, f)
		}
	}
}

// A file of several packages is held against what was accepted of each, however that came
// into the history; equal names of two packages are two benchmarks.
func TestSeveralPackages(t *testing.T) {
	of := func(pkg string, day int, mean float64) string {
		return strings.Replace(text(day, "h", mean, 1, 3), "example.com/m", "example.com/"+pkg, 1)
	}
	accepted := slices.Concat(entry(t, of("a", 1, 100)+of("b", 1, 1000)), entry(t, of("a", 2, 100.1)))
	fresh := entry(t, strings.Replace(of("a", 9, 100.1)+of("b", 9, 1300)+of("c", 9, 1), "T10", "T11", 1))
	c, err := Rule{}.Check(accepted, fresh)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range c.Findings {
		got = append(got, fmt.Sprint(f.Package, " ", f.Unit, " ", f.Verdict, " against ", f.Against))
	}
	want := []string{
		"example.com/a ns/op same against 2", "example.com/a allocs/op same against 2",
		"example.com/b ns/op slower against 1", "example.com/b allocs/op same against 1",
		"example.com/c ns/op unknown against 0", "example.com/c allocs/op unknown against 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestOtherHosts(t *testing.T) {
	accepted := slices.Concat(entry(t, text(1, "here", 100, 1, 3)), entry(t, text(2, "there", 50, 1, 3)))
	fresh := entry(t, text(9, "here", 100.1, 1, 3))
	c, err := Rule{}.Check(accepted, fresh)
	if err != nil || c.Findings[0].Against != 1 || c.Findings[0].Verdict != stats.Same {
		t.Errorf("%+v, %v", c.Findings[0], err)
	}
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "1 accepted results are of other hosts") {
		t.Errorf("notes %q", notes)
	}
	c, err = Rule{AnyHost: true}.Check(accepted, fresh)
	if err != nil || c.Findings[0].Against != 2 || !strings.Contains(strings.Join(c.Notes, "\n"), "another host") {
		t.Errorf("%+v, %q, %v", c.Findings[0], c.Notes, err)
	}
}

func TestStore(t *testing.T) {
	dir := t.TempDir()
	s := Store{filepath.Join(dir, "a", "b")}
	if entries, err := s.Entries(); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v of a history that isn't there", entries, err)
	}
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, day := range []int{12, 3} {
		if _, err := s.Add(file("new", text(day, "h", 100, 1, 3))); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := s.Entries()
	if err != nil || len(entries) != 2 || entries[0].Date >= entries[1].Date || entries[0].Path == "" {
		t.Fatalf("%+v, %v", entries, err)
	}
	for want, content := range map[string]string{
		"is in the history already": text(3, "h", 100, 1, 3),
		"no results":                "goos: linux\n",
		"no commit or host":         "BenchmarkX 1 5 ns/op\n",
		"keep one in a file":        text(4, "h", 100, 1, 3) + text(5, "h", 100, 1, 3),
		"commit":                    text(4, "h", 100, 1, 3) + strings.Replace(text(5, "h", 100, 1, 3), "/m", "/n", 1),
		"parsing measurement":       text(4, "h", 100, 1, 3) + "BenchmarkX 1 zzz ns/op\n",
	} {
		if _, err := s.Add(file("bad", content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if files, _ := os.ReadDir(s.Dir); len(files) != 2 {
		t.Errorf("%d files", len(files))
	}
}
