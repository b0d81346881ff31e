package harness

import "testing"

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, name     string
		matches, mayMatch bool
	}{
		{"Encode", "BenchmarkEncode", true, true},
		{"Encode", "BenchmarkEncode/small", true, true},
		{"^BenchmarkEncode$", "BenchmarkEncode/small/x", true, true},
		{"^BenchmarkEncode$", "BenchmarkEncodeAll", false, false},
		{"Encode/small", "BenchmarkEncode", false, true},
		{"Encode/small", "BenchmarkEncode/small", true, true},
		{"Encode/small", "BenchmarkEncode/large", false, false},
		{"Well|Sub/two", "BenchmarkSub/two=2", true, true},
		{"Well|Sub/two", "BenchmarkFails", false, false},
		{"Well|Sub/two", "BenchmarkWell", true, true},
		{"Sub/(two|a/b)", "BenchmarkSub/two", true, true},
		{"X[|/]", "BenchmarkX", false, false},
		{"^BenchmarkSub$/^a$/^$", "BenchmarkSub/a", true, true},
		{"^BenchmarkSub$/^a$/^$", "BenchmarkSub/a/b", false, false},
		{"^BenchmarkSub$/^a$/^$", "BenchmarkSub", false, true},
		{"^BenchmarkSub$/^a$/^$", "BenchmarkSub/b", false, false},
		{`a\|b`, "Benchmarkb", false, false},
	} {
		p, err := ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Matches(c.name); got != c.matches {
			t.Errorf("%s matches %s: %v", c.pattern, c.name, got)
		}
		if got := p.MayMatch(c.name); got != c.mayMatch {
			t.Errorf("%s may match %s: %v", c.pattern, c.name, got)
		}
	}
	if _, err := ParsePattern("a/("); err == nil {
		t.Error("no error")
	}
	if got := PatternOf("BenchmarkX/a/", nil); got != `^BenchmarkX$/^a$/^()$` {
		t.Error(got)
	}
	for others, want := range map[string]string{
		"BenchmarkX/a.b/cd":  `^BenchmarkX$/^a\.b$/^c$`,
		"BenchmarkX/a.b/c/d": `^BenchmarkX$/^a\.b$/^c$/^$`,
	} {
		if got := PatternOf("BenchmarkX/a.b/c", []string{"BenchmarkX/a.b/c", others}); got != want {
			t.Errorf("beside %s: %s, want %s", others, got, want)
		}
	}
}

func TestTestingPatterns(t *testing.T) {
	for _, c := range []struct{ pattern, bench, skip string }{
		{"^BenchmarkA$/^b$", "^BenchmarkA$/^b$", ""},
		{"^BenchmarkA$/^b$/^$", "^BenchmarkA$/^b$", "^BenchmarkA$/^b$/"},
		{"A|B/c/^$|D/[|]/^$", "A|B/c|D/[|]", "B/c/|D/[|]/"},
	} {
		if bench, skip := testingPatterns(c.pattern); bench != c.bench || skip != c.skip {
			t.Errorf("%s: -bench %s -skip %s, want %s and %s", c.pattern, bench, skip, c.bench, c.skip)
		}
	}
}

func TestFirstElement(t *testing.T) {
	for pattern, want := range map[string]string{
		"BenchmarkX":         "BenchmarkX",
		"BenchmarkX/size=10": "BenchmarkX",
		"[/]X/y":             "[/]X",
		"(a/b)/c":            "(a/b)",
		`a\/b/c`:             `a\/b`,
		"":                   "",
	} {
		if got := FirstElement(pattern); got != want {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
	}
}
