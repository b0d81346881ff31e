package stats

import "math"

// ShareOver returns the share of a difference that putting good's code back in one place
// takes away, (bad-back)/(bad-good), of triples of the same index that ran in one
// rotation, with an interval at confidence 1-alpha over the layouts that number them (nil:
// all had one). The prior is that of ratios, as for [CompareOver].
//
// Within a triple all three met the same speed, which cancels: each is taken as a share
// of its bad. Over layouts, or within the one there is, the share is that of the means, and
// its interval Fieller's ("Some problems in interval estimation", JRSS B 16, 1954) by the
// same two variances as [CompareOver]'s, and by that within layouts. Putting back another
// place's code moves functions, too: an innocent's share is what that makes, divided by
// the difference. Where it is open whether there is a difference at all, the share may
// be any: (-Inf, +Inf).
//
// With a base, which ran in the same rotation and has some of that code back already, it
// is the share of the rest on top of it, (base-back)/(bad-good); nil is bad itself.
func ShareOver(good, back, base, bad []float64, layout []int, alpha float64, prior Prior) (Interval, error) {
	triples, err := triplesOf(good, back, base, bad)
	if err != nil {
		return noRatio(), err
	}
	groups, err := grouped(triples, layout)
	if err != nil {
		return noRatio(), err
	}
	if len(triples) < 2 {
		return noRatio(), ErrTooFew
	}
	f := fiellerOf(groups)
	f.based = base != nil
	k := float64(f.groups)
	seen, before := prior.split(alpha, k-1)
	share := Interval{f.mean.gone / f.mean.whole, math.Inf(-1), math.Inf(1)}
	if seen > 0 {
		share = share.within(f.interval(f.between.over(k), studentUpper(k-1, seen/2)))
	}
	if before > 0 {
		known := f.layout(prior.SD).plus(f.pairs)
		v := covariance{
			gone:  prior.moderated(known.gone, f.between.gone, k-1),
			both:  prior.moderated(known.both, f.between.both, k-1),
			whole: prior.moderated(known.whole, f.between.whole, k-1),
		}
		share = share.within(f.interval(v.over(k), studentUpper(prior.Freedom+k-1, before/2)))
	}
	if f.free > 0 {
		least := f.interval(f.pairs.over(k), studentUpper(f.free, alpha/2))
		share.Low, share.High = min(share.Low, least.Low), max(share.High, least.High)
	}
	return share, nil
}

// within is the part of i that o leaves.
func (i Interval) within(o Interval) Interval {
	return Interval{i.Mean, max(i.Low, o.Low), min(i.High, o.High)}
}

// A triple is what is gone with good's code in one place, and with all of it, as shares
// of bad, and so is what the first of them is gone from.
type triple struct{ gone, whole, base float64 }

func triplesOf(good, back, base, bad []float64) ([]triple, error) {
	if base == nil {
		base = bad
	}
	if len(good) != len(bad) || len(back) != len(bad) || len(base) != len(bad) {
		return nil, ErrUnpaired
	}
	if !finite(good) || !finite(back) || !finite(base) || !finite(bad) {
		return nil, ErrNotFinite
	}
	triples := make([]triple, len(bad))
	for i, b := range bad {
		if good[i] <= 0 || back[i] <= 0 || base[i] <= 0 || b <= 0 {
			return nil, ErrNoRatio
		}
		triples[i] = triple{(base[i] - back[i]) / b, (b - good[i]) / b, base[i] / b}
	}
	return triples, nil
}

// covariance is that of the two numbers of a triple.
type covariance struct{ gone, both, whole float64 }

func (c covariance) plus(o covariance) covariance {
	return covariance{c.gone + o.gone, c.both + o.both, c.whole + o.whole}
}

func (c covariance) over(n float64) covariance {
	return covariance{c.gone / n, c.both / n, c.whole / n}
}

// fieller is what triples say on two levels.
type fieller struct {
	groups  int
	mean    triple     // over layouts
	between covariance // of the layouts' means
	pairs   covariance // of a layout's mean, by the triples in it
	free    float64    // degrees of freedom of pairs
	based   bool       // on another program than bad
}

func fiellerOf(groups [][]triple) fieller {
	f := fieller{groups: len(groups)}
	var means []triple
	shares := 0.
	for _, g := range groups {
		mean, squares := scatter(g)
		means = append(means, mean)
		f.pairs = f.pairs.plus(squares)
		f.free += float64(len(g) - 1)
		shares += 1 / float64(len(g)) / float64(len(groups))
	}
	if f.free > 0 {
		f.pairs = f.pairs.over(f.free / shares)
	}
	var squares covariance
	if f.mean, squares = scatter(means); len(groups) > 1 {
		f.between = squares.over(float64(len(groups) - 1))
	}
	return f
}

// scatter is the mean of triples, and the sums of squares and products about it.
func scatter(ts []triple) (mean triple, squares covariance) {
	n := float64(len(ts))
	for _, t := range ts {
		mean.gone += t.gone / n
		mean.whole += t.whole / n
		mean.base += t.base / n
	}
	for _, t := range ts {
		g, w := t.gone-mean.gone, t.whole-mean.whole
		squares = squares.plus(covariance{g * g, g * w, w * w})
	}
	return mean, squares
}

// layout is the covariance of a layout's numbers where ratios vary by sd. The layouts of
// the binaries have nothing in common; that of bad is in both numbers, and a base of its
// own has one, too.
func (f fieller) layout(sd float64) covariance {
	base, good := f.mean.base, 1-f.mean.whole
	back := base - f.mean.gone
	c := covariance{gone: back * back, both: back * good / 2, whole: good * good}
	if f.based {
		c.gone, c.both = back*back+base*base-back*base, (back-base)*good/2
	}
	return c.over(1 / (sd * sd))
}

// interval are the shares s for which gone - s*whole does not differ from zero by more
// than t of its standard errors, whose squares are v.
func (f fieller) interval(v covariance, t float64) Interval {
	any := Interval{f.mean.gone / f.mean.whole, math.Inf(-1), math.Inf(1)}
	if math.IsInf(t, 1) {
		return any
	}
	a := f.mean.whole*f.mean.whole - t*t*v.whole
	b := f.mean.gone*f.mean.whole - t*t*v.both
	c := f.mean.gone*f.mean.gone - t*t*v.gone
	if !(a > 0) {
		return any // there may be no difference
	}
	root := math.Sqrt(max(0, b*b-a*c))
	return Interval{any.Mean, (b - root) / a, (b + root) / a}
}
