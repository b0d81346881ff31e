package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// A picture is a drawing of an HTML page, made of what a page may hold anywhere:
// SVG with presentation attributes, no style and no script. Lengths are pixels.
type picture struct {
	W, H   px
	Title  string // what it shows, for who can't see it
	Boxes  []box
	Lines  []line
	Marks  []mark
	Labels []label
}

type (
	box struct {
		X, Y, W, H px
		Side       string // good, back, bad, or rest: which is hatched
		Title      string
	}
	line struct {
		X1, Y1, X2, Y2 px
		Class          string // axis, join or range
	}
	mark struct {
		D     string // path data: each side has a shape of its own, for who can't tell colours
		Side  string
		Title string
	}
	label struct {
		X, Y   px
		Anchor string // start, middle or end
		Text   string
	}
)

// px is a length in a drawing, of which a tenth of a pixel is enough.
type px float64

func (p px) String() string { return strconv.FormatFloat(math.Round(10*float64(p))/10, 'f', -1, 64) }

// The room that pictures have.
const (
	pictureWidth = px(760)
	axisWidth    = px(80) // left of a plot
	rowHeight    = px(22)
)

// markAt is a side's mark around a point: good is a disc, bad a triangle, bad with
// good's code a square.
func markAt(side string, x, y px, title string) mark {
	d := fmt.Sprintf("M%s %sa4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", x-4, y)
	switch side {
	case "bad":
		d = fmt.Sprintf("M%s %sl5 9h-10z", x, y-5)
	case "back":
		d = fmt.Sprintf("M%s %sh7v7h-7z", x-3.5, y-3.5)
	}
	return mark{d, side, title}
}

// axis maps values to pixels.
type axis struct {
	low, high float64
	from, to  px
}

func (a axis) at(v float64) px {
	if a.high <= a.low {
		return (a.from + a.to) / 2
	}
	v = max(a.low, min(a.high, v))
	return a.from + px((v-a.low)/(a.high-a.low))*(a.to-a.from)
}

// ticks are some round values on an axis.
func (a axis) ticks() []float64 {
	span := a.high - a.low
	if !(span > 0) {
		return []float64{a.low}
	}
	step := math.Pow(10, math.Floor(math.Log10(span/3)))
	for _, m := range []float64{5, 2} {
		if span/(step*m) >= 3 {
			step *= m
			break
		}
	}
	var list []float64
	for v := math.Ceil(a.low/step) * step; v <= a.high+step/1e6; v += step {
		list = append(list, v)
	}
	return list
}

// samples are one side of a campaign.
type samples struct {
	side   string
	values []float64
}

// mostRounds is how many rounds of a campaign are drawn.
const mostRounds = 300

// rounds draws samples in the order of time, those of one round joined, and beside them
// the mean of each side with the range of most of its samples.
func rounds(title string, sides []samples, in scale) *picture {
	n := 0
	var all []float64
	for i := range sides {
		sides[i].values = sides[i].values[:min(mostRounds, len(sides[i].values))]
		n = max(n, len(sides[i].values))
		all = append(all, sides[i].values...)
	}
	if n == 0 {
		return nil
	}
	p := &picture{W: pictureWidth, H: 240, Title: title}
	y := axis{min(0, slices.Min(all)), slices.Max(all) * 1.04, p.H - 24, 14}
	x := axis{0, float64(max(1, n-1)), axisWidth + 14, p.W - 205}
	p.scale(y, in, x.to+14)
	for i := range n {
		var at []px
		for _, s := range sides {
			if i < len(s.values) {
				at = append(at, y.at(s.values[i]))
			}
		}
		p.Lines = append(p.Lines, line{x.at(float64(i)), slices.Min(at), x.at(float64(i)), slices.Max(at), "join"})
	}
	for k, s := range sides {
		for i, v := range s.values {
			p.Marks = append(p.Marks, markAt(s.side, x.at(float64(i)), y.at(v), fmt.Sprintf("%s, round %d: %s %s", sideNames[s.side], i+1, in.format(v), in.Unit)))
		}
		p.spread(s, y, x.to+34+22*px(k), in)
	}
	p.legend(sides, y, x.to+34+22*px(len(sides)), in)
	p.Labels = append(p.Labels, label{(x.from + x.to) / 2, p.H - 6, "middle", fmt.Sprintf("rounds, in the order of time (%d)", n)})
	return p
}

// spread draws where most of a side's samples are, and their mean.
func (p *picture) spread(s samples, y axis, x px, in scale) {
	if len(s.values) == 0 {
		return
	}
	sorted := slices.Sorted(slices.Values(s.values))
	at := func(q float64) float64 { return sorted[int(math.Round(q*float64(len(sorted)-1)))] }
	p.Lines = append(p.Lines, line{x, y.at(at(.1)), x, y.at(at(.9)), "range"})
	p.Marks = append(p.Marks, markAt(s.side, x, y.at(meanOf(s.values)), fmt.Sprintf("%s: mean %s, 80 %% between %s and %s %s", sideNames[s.side], in.format(meanOf(s.values)), in.format(at(.1)), in.format(at(.9)), in.Unit)))
}

// legend names the sides, each beside its mean, as far as there is room.
func (p *picture) legend(sides []samples, y axis, x px, in scale) {
	order := slices.Clone(sides)
	slices.SortStableFunc(order, func(a, b samples) int { return cmp.Compare(meanOf(b.values), meanOf(a.values)) })
	below := px(0)
	for _, s := range order {
		at := max(y.at(meanOf(s.values))+4, below)
		p.Labels = append(p.Labels, label{x, at, "start", sideNames[s.side] + " " + in.format(meanOf(s.values))})
		below = at + 15
	}
}

// sideNames are what the sides are called in pictures.
var sideNames = map[string]string{"good": "good", "bad": "bad", "back": "put back"}

// scale draws the axis of values on the left, and a line across at each round value.
func (p *picture) scale(y axis, in scale, to px) {
	for _, v := range y.ticks() {
		at := y.at(v)
		p.Lines = append(p.Lines, line{axisWidth, at, to, at, "axis"})
		p.Labels = append(p.Labels, label{axisWidth - 6, at + 4, "end", text.Count(v/in.Factor, 3) + " " + in.Unit})
	}
}

// layoutsPicture draws the ratio of each link order with its interval.
func layoutsPicture(list []Layout) *picture {
	if len(list) < 2 {
		return nil
	}
	p := &picture{W: pictureWidth, H: rowHeight*px(len(list)) + 30, Title: "bad divided by good, in each order that the linker put functions in"}
	low, high := 1.0, 1.0
	for _, l := range list {
		low, high = min(low, l.Ratio.Low), max(high, l.Ratio.High)
	}
	x := axis{low - (high-low)*0.05, high + (high-low)*0.05, 2 * axisWidth, p.W - 20}
	for _, v := range append(x.ticks(), 1) {
		p.Lines = append(p.Lines, line{x.at(v), 4, x.at(v), p.H - 24, "axis"})
		p.Labels = append(p.Labels, label{x.at(v), p.H - 8, "middle", text.Count(v, 3) + "x"})
	}
	for i, l := range list {
		y := rowHeight*px(i) + 16
		name := fmt.Sprintf("order %d", l.Seed)
		if l.Seed == 0 {
			name = "the linker's own"
		}
		p.Labels = append(p.Labels, label{2*axisWidth - 8, y + 4, "end", name})
		p.Lines = append(p.Lines, line{x.at(l.Ratio.Low), y, x.at(l.Ratio.High), y, "range"})
		p.Marks = append(p.Marks, markAt("bad", x.at(l.Ratio.Mean), y, name+": "+ratio(l.Ratio)))
	}
	return p
}

// icicle draws what an operation spends on the way to the culprits, good above bad, on one
// scale: each step lies under the one it is part of, and what no step holds is hatched.
func (r *Report) icicle() *picture {
	if r.Whole == nil || len(r.Culprits) == 0 {
		return nil
	}
	tree := r.tree()
	depth := tree.depth()
	height := rowHeight*px(depth) + 26
	p := &picture{W: pictureWidth, H: 2*height + 8, Title: "what one operation spends on the way to the culprit, in good and in bad"}
	in := scaleFor(max(tree.Good, tree.Bad), r.Whole.Unit)
	x := axis{0, max(tree.Good, tree.Bad), 0, p.W}
	for i, bad := range []bool{false, true} {
		top := px(i) * (height + 8)
		p.Labels = append(p.Labels, label{0, top + 14, "start", fmt.Sprintf("%s: %s %s", side(bad), in.format(tree.value(bad)), in.perOp())})
		p.step(tree, bad, x, 0, top+20, in)
	}
	return p
}

// depth is how many steps lie under each other, the node's own included.
func (n *node) depth() int {
	deepest := 0
	for _, b := range n.Below {
		deepest = max(deepest, b.depth())
	}
	return 1 + deepest
}

func (p *picture) step(n *node, bad bool, x axis, from float64, y px, in scale) {
	value := n.value(bad)
	left, right := x.at(from), x.at(from+value)
	name := shortFunction(n.Function)
	if n.Call != "" && !strings.HasPrefix(n.Call, "(") {
		name += ": " + n.Call
	}
	p.Boxes = append(p.Boxes, box{left, y, max(1, right-left), rowHeight - 2, side(bad), fmt.Sprintf("%s: %s %s", name, in.format(value), in.Unit)})
	if room := int((right - left) / 6.7); room >= 8 {
		p.Labels = append(p.Labels, label{left + 4, y + 14, "start", text.Clip(name, room-1)})
	}
	at := from
	for _, b := range n.Below {
		p.step(b, bad, x, at, y+rowHeight, in)
		at += b.value(bad)
	}
	if rest := n.room(bad); len(n.Below) > 0 && x.at(at+rest)-x.at(at) > 2 {
		p.Boxes = append(p.Boxes, box{x.at(at), y + rowHeight, x.at(at+rest) - x.at(at), rowHeight - 2, "rest", fmt.Sprintf("beside it: %s %s", in.format(rest), in.Unit)})
	}
}

// timeline draws when the hunt did what.
func timeline(phases []Phase, seconds float64) *picture {
	if len(phases) == 0 {
		return nil
	}
	p := &picture{W: pictureWidth, H: rowHeight*px(len(phases)) + 26, Title: "what the hunt did, in seconds since it began"}
	x := axis{0, seconds, 330, p.W - 50}
	for _, v := range x.ticks() {
		p.Lines = append(p.Lines, line{x.at(v), 2, x.at(v), p.H - 20, "axis"})
		p.Labels = append(p.Labels, label{x.at(v), p.H - 6, "middle", text.Count(v, 3) + " s"})
	}
	for i, f := range phases {
		y := rowHeight * px(i)
		p.Labels = append(p.Labels, label{322, y + 15, "end", text.Clip(f.What, 42)})
		p.Boxes = append(p.Boxes, box{x.at(f.Began), y + 4, max(1, x.at(f.Began+f.Seconds)-x.at(f.Began)), rowHeight - 8, "good", fmt.Sprintf("%s: %s s", f.What, text.Significant(f.Seconds, 3))})
	}
	return p
}
