// Package figure draws means with their confidence intervals, and writes them as
// columns for gnuplot. What is drawn is what is given: nothing is smoothed, cut off
// or computed here.
package figure

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/pinpoint-go/pinpoint/internal/output"
)

// A Point is a mean with its interval. Low and High may be infinite, or equal to
// Mean: then there is no bar.
type Point struct {
	X               float64
	Mean, Low, High float64
}

// A Series is points of one name.
type Series struct {
	Name   string
	Points []Point
	Line   bool // joined by straight lines
}

// A Figure is series over common axes.
type Figure struct {
	Title, X, Y string
	Series      []Series
	Names       []string // of the places 0, 1, ... on the X axis, where that is no quantity
	LogX, LogY  bool
	FromZero    bool     // the Y axis begins at 0
	Source      []string // "key: value" lines, for WriteGnuplot's head
	Width       float64  // centimetres; 0: 16
	Height      float64  // centimetres; 0: 9
}

// WriteGnuplot writes columns x, mean, low, high, name; a block for each series,
// with two empty lines between, as gnuplot's index wants them. Sources are lines
// that begin with a hash mark.
//
//	plot 'FILE' index 0 using 1:2:3:4 with yerrorbars
func (f Figure) WriteGnuplot(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# %s\n", f.Title)
	for _, line := range f.Source {
		fmt.Fprintf(b, "# %s\n", line)
	}
	fmt.Fprintf(b, "# x: %s; mean, low, high: %s\n", f.X, f.Y)
	for i, s := range f.Series {
		if i > 0 {
			fmt.Fprint(b, "\n\n")
		}
		fmt.Fprintf(b, "# %s\n", s.Name)
		for _, p := range s.Points {
			fmt.Fprintf(b, "%g %g %g %g %q\n", p.X, p.Mean, p.Low, p.High, f.name(s, p))
		}
	}
	return b.Flush()
}

func (f Figure) name(s Series, p Point) string {
	if i := int(p.X); i >= 0 && i < len(f.Names) {
		return f.Names[i]
	}
	return s.Name
}

// CheckName says whether Save knows what to draw by the ending of a file's name.
func CheckName(path string) error {
	if ending := strings.ToLower(filepath.Ext(path)); ending != ".svg" && ending != ".png" {
		return fmt.Errorf("drawing %s: the name must end in .svg or .png", path)
	}
	return nil
}

// Save draws the figure to a file, by its name's ending as SVG or PNG. The file is
// complete or not written.
func (f Figure) Save(path string) error {
	if err := CheckName(path); err != nil {
		return err
	}
	p, err := f.plot()
	if err != nil {
		return fmt.Errorf("drawing %s: %w", path, err)
	}
	width, height := f.size()
	var c interface {
		vg.CanvasSizer
		io.WriterTo
	} = vgsvg.New(width, height)
	if strings.EqualFold(filepath.Ext(path), ".png") {
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(120))}
	}
	// Labels of the axes' ends reach beyond the axes.
	p.Draw(draw.Crop(draw.New(c), vg.Points(4), vg.Points(-14), vg.Points(4), vg.Points(-6)))
	return output.Save(path, func(w io.Writer) error {
		_, err := c.WriteTo(w)
		return err
	})
}

func (f Figure) size() (width, height vg.Length) {
	w, h := f.Width, f.Height
	if w == 0 {
		w = 16
	}
	if h == 0 {
		h = 9
	}
	return vg.Length(w) * vg.Centimeter, vg.Length(h) * vg.Centimeter
}

// colours are told apart by those who don't see all of them (Okabe and Ito).
var colours = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{230, 159, 0, 255}, color.RGBA{0, 0, 0, 255},
}

// plot arranges the figure. Series share the places of a named axis side by side.
func (f Figure) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = f.Title, f.X, f.Y
	// What grows with the size leaves the upper left corner free.
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs = true, true, vg.Points(6)
	p.Add(plotter.NewGrid())
	if f.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	if f.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	drawn := 0
	for i, s := range f.Series {
		pts := f.points(i, s)
		if len(pts.XYs) == 0 {
			continue
		}
		if err := f.add(p, s, pts, i); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		drawn++
	}
	if drawn == 0 {
		return nil, fmt.Errorf("there is nothing to draw")
	}
	if len(f.Names) > 0 {
		p.NominalX(f.Names...)
		p.X.Min, p.X.Max = -0.5, float64(len(f.Names))-0.5
	}
	if f.FromZero && !f.LogY {
		p.Y.Min = min(p.Y.Min, 0)
	}
	return p, nil
}

// bars are points with their intervals as gonum takes them.
type bars struct {
	plotter.XYs
	plotter.YErrors
}

// points leaves out what the axes can't show.
func (f Figure) points(i int, s Series) bars {
	var b bars
	for _, p := range s.Points {
		if !finite(p.X) || !finite(p.Mean) || f.LogX && p.X <= 0 || f.LogY && p.Mean <= 0 {
			continue
		}
		x := p.X
		if len(f.Names) > 0 {
			x += 0.6 * (float64(i) + 0.5 - float64(len(f.Series))/2) / float64(len(f.Series))
		}
		e := struct{ Low, High float64 }{}
		if finite(p.Low) && finite(p.High) && (!f.LogY || p.Low > 0) {
			e.Low, e.High = p.Mean-p.Low, p.High-p.Mean
		}
		b.XYs = append(b.XYs, plotter.XY{X: x, Y: p.Mean})
		b.YErrors = append(b.YErrors, e)
	}
	return b
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func (f Figure) add(p *plot.Plot, s Series, pts bars, i int) error {
	c := colours[i%len(colours)]
	dots, err := plotter.NewScatter(pts.XYs)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(2.2), Shape: draw.CircleGlyph{}}
	p.Add(dots)
	legend := []plot.Thumbnailer{dots}
	if s.Line {
		line, err := plotter.NewLine(pts.XYs)
		if err != nil {
			return err
		}
		line.Color = c
		p.Add(line)
		legend = append(legend, line)
	}
	errs, err := plotter.NewYErrorBars(pts)
	if err != nil {
		return err
	}
	errs.Color = c
	p.Add(errs)
	if len(f.Series) > 1 {
		p.Legend.Add(s.Name, legend...)
	}
	return nil
}
