package measure

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/figure"
)

// Figure draws the first quantity that was measured: for each revision, or value of the key
// that results are compared by, the mean of each scenario with its interval. Where the
// scenarios differ by one number besides, the size in BenchmarkX/size=10, that is the X
// axis; else their names are.
func Figure(r *Result, confidence float64, title string) figure.Figure {
	f := figure.Figure{Title: title}
	for _, c := range r.Config {
		f.Source = append(f.Source, c.Name+": "+c.Value)
	}
	metrics := r.Metrics()
	if len(metrics) == 0 {
		return f
	}
	first := metrics[0]
	f.Y = first.Unit
	places := r.places()
	f.X, f.Names, f.LogX = places.label, places.names, places.log
	f.LogY = places.log
	for _, one := range r.alternatives() {
		s := figure.Series{Name: one, Line: places.names == nil}
		for _, m := range metrics {
			name, which, ok := r.alternative(r.Scenarios[m.Scenario])
			if m.Measurer != first.Measurer || m.Unit != first.Unit || m.Of != "" || !ok || which != one {
				continue
			}
			iv := m.Interval(confidence)
			s.Points = append(s.Points, figure.Point{X: places.x[name], Mean: iv.Mean, Low: iv.Low, High: iv.High})
		}
		slices.SortFunc(s.Points, func(a, b figure.Point) int { return int(a.X - b.X) })
		f.Series = append(f.Series, s)
	}
	return f
}

// places are where scenarios lie on the X axis.
type places struct {
	x     map[string]float64 // by the scenario's name
	names []string           // nil where the axis is a quantity
	label string
	log   bool
}

func (r *Result) places() places {
	var names []string
	for _, s := range r.Scenarios {
		if name, _, ok := r.alternative(s); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if p, ok := numeric(names); ok {
		return p
	}
	p := places{x: map[string]float64{}}
	for i, name := range names {
		p.x[name] = float64(i)
		p.names = append(p.names, strings.TrimPrefix(name, "Benchmark"))
	}
	return p
}

// numeric finds the one part of the names that differs, where it is a number.
func numeric(names []string) (places, bool) {
	p := places{x: map[string]float64{}}
	if len(names) < 3 {
		return p, false
	}
	first := strings.Split(names[0], "/")
	at := -1
	for _, name := range names {
		parts := strings.Split(name, "/")
		if len(parts) != len(first) {
			return p, false
		}
		for i := range parts {
			if parts[i] != first[i] && at != i {
				if at >= 0 {
					return p, false
				}
				at = i
			}
		}
	}
	low, high := 0.0, 0.0
	for _, name := range names {
		key, number, ok := strings.Cut(strings.Split(name, "/")[max(at, 0)], "=")
		if !ok {
			key, number = "", key
		}
		number, _, _ = strings.Cut(number, "-")
		x, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return p, false
		}
		for _, other := range p.x {
			if other == x {
				return p, false
			}
		}
		p.x[name], p.label = x, key
		if low == 0 || x < low {
			low = x
		}
		high = max(high, x)
	}
	p.log = low > 0 && high >= 50*low
	return p, at >= 0
}
