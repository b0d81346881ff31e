package syntax_test

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// BenchmarkDrvParse parses a short script.
func BenchmarkDrvParse(b *testing.B) {
	script := "set -e\nfor f in *.go; do\n\tif [ -n \"$f\" ]; then echo \"${f%.go}\" $(wc -l <\"$f\"); fi\ndone\nfoo() { bar \"$@\" | baz && qux; }\nfoo a b c\n"
	p := syntax.NewParser()
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if _, err := p.Parse(strings.NewReader(script), ""); err != nil {
			b.Fatal(err)
		}
	}
}
