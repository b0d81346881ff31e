package figure

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var sizes = Figure{
	Title: "Search", X: "size", Y: "ns/op", LogX: true, Source: []string{"cpu: fast"},
	Series: []Series{
		{Name: "v1", Line: true, Points: []Point{{10, 5, 4, 6}, {100, 8, 7, 9}, {1000, 11, 10, 12}}},
		{Name: "v2", Line: true, Points: []Point{{10, 6, 5, 7}, {100, 9, math.Inf(-1), math.Inf(1)}, {0, 1, 1, 1}}},
	},
}

func TestGnuplot(t *testing.T) {
	var b bytes.Buffer
	if err := sizes.WriteGnuplot(&b); err != nil {
		t.Fatal(err)
	}
	want := `# Search
# cpu: fast
# x: size; mean, low, high: ns/op
# v1
10 5 4 6 "v1"
100 8 7 9 "v1"
1000 11 10 12 "v1"


# v2
10 6 5 7 "v2"
100 9 -Inf +Inf "v2"
0 1 1 1 "v2"
`
	if b.String() != want {
		t.Errorf("got %s", b.String())
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	named := Figure{Title: "Names", Y: "ns/op", Names: []string{"A", "B"}, FromZero: true,
		Series: []Series{{Name: "v1", Points: []Point{{0, 5, 4, 6}, {1, 8, 7, 9}}}, {Name: "v2", Points: []Point{{0, 5, 4, 6}}}}}
	for _, f := range []Figure{sizes, named} {
		name := filepath.Join(dir, f.Title)
		if err := f.Save(name + ".svg"); err != nil {
			t.Fatal(err)
		}
		svg, err := os.ReadFile(name + ".svg")
		if err != nil || !strings.Contains(string(svg), "<svg") || !strings.Contains(string(svg), ">v2<") || !strings.Contains(string(svg), ">ns/op<") {
			t.Errorf("%s: %v", f.Title, err)
		}
		if err := f.Save(name + ".png"); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(name + ".png")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(file); err != nil {
			t.Error(err)
		}
		file.Close()
	}
	// An interval is drawn from Low to High.
	if b := sizes.points(0, sizes.Series[0]); b.YErrors[0].Low != 1 || b.YErrors[0].High != 1 {
		t.Errorf("%+v", b.YErrors)
	}
	if b := sizes.points(1, sizes.Series[1]); len(b.XYs) != 2 || b.YErrors[1].High != 0 {
		t.Errorf("%+v", b)
	}
	empty := Figure{Series: []Series{{Name: "v1"}}}
	for name, f := range map[string]Figure{"x.svg": empty, "x.pdf": sizes, "gone/x.svg": sizes} {
		if err := f.Save(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is drawn", name)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 4 {
		t.Errorf("%d files", len(left))
	}
}
