package stats

import (
	"bytes"
	"flag"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/pinpoint-go/pinpoint/stats/noisy"
)

var update = flag.Bool("update", false, "simulate testdata/power.txt again, and draw it")

// powerHead says what the columns are; gnuplot takes it for a comment:
//
//	plot "power.txt" index 4 using 1:9 with lines
const powerHead = `# Chance of the verdict "slower" for a true slowdown, in percent.
# Minimum effect 1 %, error 1.4e-4 (the share of one look of a hunt at 1 %), 600
# comparisons a line. The first five columns: on six machines of stats/noisy in equal
# parts, whose processes run one after the other; the last two: on a machine like the
# worst of them where pairs take turns. What accuses is decided by pairs: Student's
# interval of log ratios and ranks, half of the error each.
# A block per number of pairs. go test ./stats -run TestPower -update makes it.
# slowdown_% pairs  welch paired  rank   auto  pairs | in turns: welch pairs
`

const (
	powerRounds = 600
	powerAlpha  = 0.01 * 0.4 / 2 / 7 / 2
)

var (
	slowdowns  = []float64{1, 2, 3, 4, 5, 7, 10, 15, 20, 30}
	pairCounts = []int{6, 8, 12, 24, 48, 96, 192, 384}
)

// The columns of the curve.
const (
	welchApart = iota
	pairedApart
	rankApart
	autoApart
	pairsApart
	welchInTurns
	pairsInTurns
	columns
)

var powerTests = [columns]struct {
	test    Test
	inTurns bool
}{
	{TestWelch, false}, {TestPaired, false}, {TestRank, false}, {TestAuto, false}, {TestPairs, false},
	{TestWelch, true}, {TestPairs, true},
}

// power is the share of comparisons that say slower, by column, in percent.
type power [columns]float64

func simulatePower(slowdown float64, pairs int) (p power) {
	rng := rand.New(rand.NewPCG(uint64(pairs), math.Float64bits(slowdown)))
	for round := range powerRounds {
		apart, inTurns := machines[round%len(machines)].Machine, noisy.InTurns
		for _, turns := range []bool{false, true} {
			m := apart
			if turns {
				m = inTurns
			}
			good, bad := drawPairs(m.Start(rng), pairs, 1+slowdown/100)
			for i, column := range powerTests {
				rule := Rule{Alpha: powerAlpha, MinEffect: Summarize(good).Mean / 100, Test: column.test}
				if column.inTurns == turns && rule.Compare(good, bad).Verdict == Slower {
					p[i] += 100. / powerRounds
				}
			}
		}
	}
	return p
}

func (p power) line(slowdown float64, pairs int) string {
	line := fmt.Sprintf("%12g %5d", slowdown, pairs)
	for _, x := range p {
		line += fmt.Sprintf(" %6.1f", x)
	}
	return line + "\n"
}

// TestPower holds the committed curve against a part of the simulation made anew,
// and its drawing against the numbers.
func TestPower(t *testing.T) {
	const name, drawing = "testdata/power.txt", "testdata/power.svg"
	if *update {
		text := simulateAllPower()
		write(t, name, []byte(text))
		write(t, drawing, drawPower(t, readPower(t, text)))
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	curve := readPower(t, string(text))
	if len(curve) != len(slowdowns)*len(pairCounts) || !strings.HasPrefix(string(text), powerHead) {
		t.Errorf("%s has %d lines: run with -update", name, len(curve))
	}
	for _, at := range []point{{5, 12}, {10, 24}, {30, 6}, {3, 8}, {5, 48}, {1, 24}} {
		got, want := simulatePower(at.slowdown, at.pairs), curve[at]
		for i := range got {
			if math.Abs(got[i]-want[i]) > 0.5 { // another architecture may round otherwise
				t.Errorf("%+v: %s has %.1f, the simulation %.1f: run with -update, and look at what changed", at, name, want, got)
				break
			}
		}
	}
	if drawn, err := os.ReadFile(drawing); err != nil || !bytes.Equal(drawn, drawPower(t, curve)) {
		t.Errorf("%s does not show the numbers (%v): run with -update", drawing, err)
	}
}

// What the curve must say for a hunt to be worth it.
func TestPowerIsEnough(t *testing.T) {
	text, err := os.ReadFile("testdata/power.txt")
	if err != nil {
		t.Fatal(err)
	}
	curve := readPower(t, string(text))
	for at, p := range curve {
		if p[autoApart] < max(p[welchApart], p[rankApart])-12 {
			t.Errorf("%+v: auto decides %.1f %%, Welch %.1f, ranks %.1f", at, p[autoApart], p[welchApart], p[rankApart])
		}
		if p[pairsApart] < max(p[pairedApart], p[rankApart])-15 {
			t.Errorf("%+v: pairs decide %.1f %%, Student's alone %.1f, ranks %.1f", at, p[pairsApart], p[pairedApart], p[rankApart])
		}
		if at.pairs >= FirstPairs && p[pairsInTurns] < p[welchInTurns] {
			t.Errorf("%+v in turns: pairs decide %.1f %%, Welch %.1f", at, p[pairsInTurns], p[welchInTurns])
		}
		if at.slowdown == 1 && slices.Max(p[:]) > 100*powerAlpha+1 {
			t.Errorf("%+v is no more than the minimum effect, and %v say slower", at, p)
		}
	}
	if p := curve[point{2, 48}]; p[pairsInTurns] < 85 || p[pairsApart] > 30 {
		t.Errorf("2 %% with 48 pairs: %v", p)
	}
	if p := curve[point{5, 12}]; p[pairsInTurns] < 95 || p[welchInTurns] > 5 {
		t.Errorf("5 %% with 12 pairs: %v", p)
	}
	if p := curve[point{30, 96}]; p[pairsApart] < 95 {
		t.Errorf("30 %% with 96 pairs: %v", p)
	}
	if p := curve[point{5, 384}]; p[pairsApart] < 99 || p[welchApart] > 60 {
		t.Errorf("5 %% with 384 pairs: %v", p)
	}
}

// point is a place on the curve.
type point struct {
	slowdown float64
	pairs    int
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func simulateAllPower() string {
	lines := make([][]string, len(pairCounts))
	var work sync.WaitGroup
	for i, pairs := range pairCounts {
		lines[i] = make([]string, len(slowdowns))
		for k, slowdown := range slowdowns {
			work.Go(func() { lines[i][k] = simulatePower(slowdown, pairs).line(slowdown, pairs) })
		}
	}
	work.Wait()
	text := powerHead
	for i := range lines {
		text += strings.Join(lines[i], "") + "\n\n" // two empty lines begin another block
	}
	return strings.TrimRight(text, "\n") + "\n"
}

func readPower(t *testing.T, text string) map[point]power {
	t.Helper()
	curve := make(map[point]power)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		var at point
		var p power
		fields := []any{&at.slowdown, &at.pairs}
		for i := range p {
			fields = append(fields, &p[i])
		}
		if _, err := fmt.Sscan(line, fields...); err != nil {
			t.Fatalf("reading %q: %v", line, err)
		}
		curve[at] = p
	}
	return curve
}

// looks of the lines, told apart without color, too.
var lineStyles = []struct {
	name   string
	color  color.Color
	dashes []vg.Length
}{
	welchApart:   {"Welch", color.RGBA{0xd5, 0x5e, 0x00, 0xff}, []vg.Length{vg.Points(2), vg.Points(2)}},
	pairedApart:  {"paired", color.RGBA{0x00, 0x72, 0xb2, 0xff}, []vg.Length{vg.Points(6), vg.Points(3)}},
	rankApart:    {"ranks", color.RGBA{0x00, 0x9e, 0x73, 0xff}, []vg.Length{vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}},
	autoApart:    {"Welch and ranks", color.RGBA{0x80, 0x80, 0x80, 0xff}, nil},
	pairsApart:   {"pairs", color.Black, nil},
	welchInTurns: {"in turns: Welch", color.RGBA{0xcc, 0x79, 0xa7, 0xff}, []vg.Length{vg.Points(2), vg.Points(2)}},
	pairsInTurns: {"in turns: pairs", color.RGBA{0xcc, 0x79, 0xa7, 0xff}, nil},
}

// drawPower is one panel for each of four numbers of pairs.
func drawPower(t *testing.T, curve map[point]power) []byte {
	t.Helper()
	panels := [][]*plot.Plot{{panel(t, curve, 8), panel(t, curve, 24)}, {panel(t, curve, 96), panel(t, curve, 384)}}
	panels[0][0].Legend.Top, panels[0][0].Legend.Left = true, true
	for column := range powerTests {
		line := plotter.Line{LineStyle: lineStyle(column)}
		panels[0][0].Legend.Add(lineStyles[column].name, &line)
	}
	canvas := vgsvg.New(18*vg.Centimeter, 14*vg.Centimeter)
	tiles := draw.Tiles{Rows: 2, Cols: 2, PadX: vg.Points(14), PadY: vg.Points(14), PadTop: vg.Points(6), PadRight: vg.Points(8)}
	for row, drawn := range plot.Align(panels, tiles, draw.New(canvas)) {
		for col, c := range drawn {
			panels[row][col].Draw(c)
		}
	}
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		t.Fatal(err)
	}
	return svg.Bytes()
}

func panel(t *testing.T, curve map[point]power, pairs int) *plot.Plot {
	t.Helper()
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%d pairs", pairs)
	p.X.Label.Text, p.Y.Label.Text = "true slowdown, %", "called slower, %"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.ConstantTicks{
		{Value: 1, Label: "1"}, {Value: 2, Label: "2"}, {Value: 5, Label: "5"}, {Value: 10, Label: "10"}, {Value: 30, Label: "30"}}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 1, 30, 0, 100
	p.Add(plotter.NewGrid())
	for column := range powerTests {
		var xys plotter.XYs
		for _, slowdown := range slowdowns {
			xys = append(xys, plotter.XY{X: slowdown, Y: curve[point{slowdown, pairs}][column]})
		}
		line, err := plotter.NewLine(xys)
		if err != nil {
			t.Fatal(err)
		}
		line.LineStyle = lineStyle(column)
		p.Add(line)
	}
	return p
}

func lineStyle(column int) draw.LineStyle {
	s := lineStyles[column]
	return draw.LineStyle{Color: s.color, Width: vg.Points(1.5), Dashes: s.dashes}
}
