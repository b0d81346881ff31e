package change

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// TestAlign aligns function F of the modules good/ and bad/ in each archive
// below testdata/align. The WANT comment of the archive has a line per pair, "= TEXT"
// or "GOOD ~ BAD", "- GOOD", "+ BAD", in order, and optionally "code in NAME", where a
// wrapper was put around F.
func TestAlign(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/align/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := unpack(t, ar)
			goodProg, good := layerOfF(t, filepath.Join(dir, "good"))
			badProg, bad := layerOfF(t, filepath.Join(dir, "bad"))
			lines := alignment(good, bad)
			p := Functions{Good: good.Func, Bad: bad.Func}
			if code := Between(goodProg, badProg).Unwrap(p); code != p {
				lines = append(lines, "code in "+code.Bad.Name[strings.LastIndexByte(code.Bad.Name, '.')+1:])
			}
			_, want, _ := strings.Cut(string(ar.Comment), "WANT:\n")
			if got := strings.Join(lines, "\n") + "\n"; got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			checkPairs(t, Align(good, bad), len(good.Calls), len(bad.Calls))
			checkPairs(t, Align(bad, good), len(bad.Calls), len(good.Calls))
		})
	}
}

func layerOfF(t *testing.T, dir string) (*callgraph.Program, *callgraph.Layer) {
	t.Helper()
	p := load(t, dir)
	fn, err := p.Func("F")
	if err != nil {
		t.Fatal(err)
	}
	layer, err := p.Layer(fn)
	if err != nil {
		t.Fatal(err)
	}
	return p, layer
}

func alignment(good, bad *callgraph.Layer) (lines []string) {
	for _, pair := range Align(good, bad) {
		switch {
		case pair.Bad < 0:
			lines = append(lines, "- "+good.Calls[pair.Good].Text)
		case pair.Good < 0:
			lines = append(lines, "+ "+bad.Calls[pair.Bad].Text)
		case good.Calls[pair.Good].Text == bad.Calls[pair.Bad].Text:
			lines = append(lines, "= "+good.Calls[pair.Good].Text)
		default:
			lines = append(lines, fmt.Sprintf("%s ~ %s", good.Calls[pair.Good].Text, bad.Calls[pair.Bad].Text))
		}
	}
	return lines
}

// checkPairs asserts that every call is in one pair, and bad's in their order.
func checkPairs(t *testing.T, pairs []Pair[int], good, bad int) {
	t.Helper()
	g, b := make(map[int]bool), 0
	for _, pair := range pairs {
		if pair.Good >= 0 {
			if g[pair.Good] {
				t.Errorf("good call %d is in two pairs", pair.Good)
			}
			g[pair.Good] = true
		}
		if pair.Bad >= 0 {
			if pair.Bad != b {
				t.Errorf("bad call %d where %d is due", pair.Bad, b)
			}
			b++
		}
	}
	if len(g) != good || b != bad {
		t.Errorf("pairs have %d and %d calls, want %d and %d", len(g), b, good, bad)
	}
}
