package revert

import (
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/pinpoint-go/pinpoint/change"
)

func parseMod(t *testing.T, text string) *modfile.File {
	f, err := modfile.Parse("go.mod", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPin(t *testing.T) {
	good := parseMod(t, `module m
require (
	example.com/cast v1.0.0
	example.com/old v0.1.0
)
replace example.com/cast => example.com/fork v1.2.0
`)
	bad := parseMod(t, `module m
require example.com/cast v2.0.0+incompatible
replace example.com/cast v2.0.0+incompatible => example.com/cast v2.1.0+incompatible
`)
	if err := pin(bad, good, change.Module{Path: "example.com/cast", Good: "v1.2.0"}); err != nil {
		t.Fatal(err)
	}
	addRequirements(bad, good)
	bad.Cleanup()
	got, err := bad.Format()
	if err != nil {
		t.Fatal(err)
	}
	const want = `module m

require (
	example.com/cast v2.0.0+incompatible
	example.com/old v0.1.0 // indirect
)

replace example.com/cast => example.com/fork v1.2.0
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMergeSums(t *testing.T) {
	if got := string(mergeSums([]byte("b\na"), []byte("c\nb\n"))); got != "a\nb\nc\n" {
		t.Errorf("got %q", got)
	}
}
