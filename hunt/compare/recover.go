package compare

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/stats"
)

// A Trial is bad with something of good's in it, held against good and bad in one
// rotation of turns. Its share is (bad−back)/(bad−good) within each round, so that what
// drifts from minute to minute, on the machine and in a process, is in neither.
type Trial struct {
	What string   // for the reader
	Back *Entrant // bad with good's code
	// Base is bad with some of that code: what is asked is the share of the rest, on top of
	// it, (base−back)/(bad−good). Nil: it is bad.
	Base  *Entrant
	Share stats.Interval
	// Comparison is of bad with good's code, which stands where good stands, and of what
	// it is on top of.
	Comparison stats.Comparison
	Orders     int // link orders besides the linker's own

	rounds   []harness.Round
	readings Readings // of the rounds, as far as they were asked for
	alpha    float64  // of one look; 0: none yet
}

// Readings are what rounds say of an operation of good, of bad with good's code, of what
// that is on top of, and of bad, by round. Base is nil where it is bad.
type Readings struct{ Good, Back, Base, Bad []float64 }

// under is what good's code was put back on top of.
func (r Readings) under() []float64 {
	if r.Base != nil {
		return r.Base
	}
	return r.Bad
}

// Judged says whether its rounds were looked at: those of one that was interrupted
// before say nothing yet.
func (t *Trial) Judged() bool { return !math.IsNaN(t.Share.Mean) }

// Readings are the samples that a trial's share is read off, all at the level of bad: the
// ratios are those of the batches that ran at the same time.
func (w *Whole) Readings(t *Trial) Readings {
	r := &t.readings
	for _, round := range t.rounds[len(r.Bad):] {
		bad := len(round.Runs) - 1
		good, is := w.Sampler.whole(round.Pair(0, bad))
		at := func(side int) float64 {
			back, beside := w.Sampler.whole(round.Pair(side, bad))
			if !w.Sampler.Quantity.Counts() && beside > 0 && is > 0 {
				back *= is / beside
			}
			return back
		}
		r.Good, r.Back, r.Bad = append(r.Good, good), append(r.Back, at(1)), append(r.Bad, is)
		if t.Base != nil {
			r.Base = append(r.Base, at(2))
		}
	}
	return *r
}

func (s *Sampler) whole(p harness.Pair) (good, bad float64) {
	g, b := s.Matched(p)
	return g.Whole, b.Whole
}

// Trial is one of a program, on top of a base if there is one, not measured yet.
func (w *Whole) Trial(what string, back, base *Entrant) *Trial {
	return &Trial{What: what, Back: back, Base: base, Share: unknownShare}
}

// Stakes is what rests on a trial.
type Stakes int

const (
	Navigation Stakes = iota // which way to search: a wrong turn costs time
	Accusation               // who is named: it is paid for from the ledger
)

// Recover measures a trial until its share lies on one side of a limit, or until more
// rounds are not worth it, or a sixth of the time that is left has gone, a third where
// somebody is accused. A trial that was measured for as much as is at stake goes
// on with the rounds that it has; one that was only to show the way begins anew.
func (w *Whole) Recover(ctx context.Context, t *Trial, orders *Orders, stakes Stakes, limit float64) error {
	s := w.Sampler
	looks, most, ample := s.Quantity.Looks(Searching[:len(Searching)-1]), navigationOrders, s.Budget.Left()/6
	if stakes == Accusation {
		looks, most, ample = s.Quantity.Looks(Deciding[:len(Deciding)-1]), mostOrders, s.Budget.Left()/3
	}
	if stakes == Accusation && t.alpha == 0 || stakes == Navigation && t.rounds == nil {
		t.rounds, t.readings, t.Orders = nil, Readings{}, min(w.Orders, most)
		if t.alpha = 0; stakes == Accusation {
			t.alpha = s.Ledger.Open(stats.Confirmation, len(looks)+LayoutLooks-1, 1)
		}
	}
	alpha := t.alpha
	if alpha == 0 {
		alpha = s.Asked.Alpha
	}
	judge := func() bool {
		r := w.Readings(t)
		t.Comparison = s.Accusing(alpha, r.Back).Compare(r.Back, r.under())
		t.Share = w.share(r, t.layouts(), alpha)
		if stakes == Accusation && s.early(len(t.rounds)) && !(t.Share.High-t.Share.Low < earlyWidth && saysHowMuch(t.Comparison.Ratio)) {
			return false
		}
		return t.decided(limit)
	}
	if len(t.rounds) > 0 && judge() {
		return nil
	}
	// One whose share lies near its limit would take all the time there is, and tell nobody
	// who did it.
	begin := time.Now()
	spent := func() bool { return time.Since(begin) > ample }
	what := "measuring " + t.What
	var err error
	for range LayoutLooks {
		var c *harness.Campaign
		if c, err = w.campaign(ctx, t, orders, 0, 1+t.Orders); err != nil {
			break
		}
		t.rounds, err = s.UntilRounds(ctx, what, c, t.rounds, FewestFor(c.Layouts, looks), func(rounds []harness.Round) bool {
			t.rounds = rounds
			return judge() || spent() || w.wantsOrders(t, most, limit, alpha) || stakes == Navigation && t.luck(limit, looks[len(looks)-1])
		})
		if err != nil || spent() || !w.wantsOrders(t, most, limit, alpha) {
			break
		}
		var more bool
		if more, err = w.inMoreOrders(ctx, t, orders, most, what); err != nil || !more || judge() {
			break
		}
	}
	s.Log.Explain("%s, %d rounds in %d link orders: %s of the difference is gone, asked whether more or less than %.0f %%",
		t.What, len(t.rounds), 1+t.Orders, text.Percents(t.Share.Mean, t.Share.Low, t.Share.High), 100*limit)
	r := w.Readings(t)
	s.Log.Record(what, harness.PairsOf(t.rounds, 1, 2), r.Back, r.under())
	return err
}

// about is how wide the interval of a share is at most that is known well enough for a
// limit within it: no affordable number of rounds tells ten percent from eleven. It says
// nothing then, as when there is no time for more.
const about = 0.05

// smallLimit is what limits are below that cut a step of hardly more than is worth following.
const smallLimit = 0.1

// decided says that more rounds would not change what the trial says of a limit.
func (t *Trial) decided(limit float64) bool {
	return t.Share.Low > limit || t.Share.High < limit || t.Share.High-t.Share.Low < about
}

// luck says that rounds up to the last look would bring the share to one side of a small
// limit only by luck: so wide would its interval still be then. Which way to search a
// step of little is not worth that; the mean says where it is likelier. Of all that there
// is to explain it is: on hosts with slow processes a third less was named otherwise.
func (t *Trial) luck(limit float64, last int) bool {
	n := len(t.rounds)
	if n < stats.FirstPairs || n >= last || limit >= smallLimit {
		return false
	}
	half := (t.Share.High - t.Share.Low) / 2 * math.Sqrt(float64(n)/float64(last))
	return half > 2*math.Abs(t.Share.Mean-limit)
}

// campaign is one of good, a trial and bad, in the layouts from one on, up to another. The
// first layout is the linker's own, and the others are the orders.
func (w *Whole) campaign(ctx context.Context, t *Trial, orders *Orders, from, to int) (*harness.Campaign, error) {
	s := w.Sampler
	c := s.Campaign(w.Good.Binary, w.Bad.Binary)
	n := s.Plan.N()
	c.Binaries, c.N = nil, nil
	for _, e := range w.takePart(t) {
		c.Binaries, c.N = append(c.Binaries, e.Binary), append(c.N, n[1])
	}
	c.N[0] = n[0]
	if from == 0 {
		c.Layouts = append(c.Layouts, c.Binaries)
	}
	more, err := orders.Linked(ctx, max(0, from-1), to-1, w.takePart(t)...)
	c.Layouts = append(c.Layouts, more...)
	return c, err
}

// takePart are the programs of a trial, good first and bad last.
func (w *Whole) takePart(t *Trial) []*Entrant {
	if t.Base != nil {
		return []*Entrant{w.Good, t.Back, t.Base, w.Bad}
	}
	return []*Entrant{w.Good, t.Back, w.Bad}
}

// layouts are those of the trial's rounds.
func (t *Trial) layouts() []int {
	list := make([]int, len(t.rounds))
	for i, r := range t.rounds {
		list[i] = r.Layout
	}
	return list
}

// inMoreOrders runs rounds of a trial in more link orders, as many of each as there are
// of those before, as far as there is time.
func (w *Whole) inMoreOrders(ctx context.Context, t *Trial, orders *Orders, most int, what string) (more bool, err error) {
	s, from := w.Sampler, 1+t.Orders
	rounds := max(layoutRounds, len(t.rounds)/from/2)
	linked, err := s.linkMore(ctx, orders, t.Orders, min(most, max(2, 2*t.Orders)), rounds, w.takePart(t)...)
	if err != nil || len(linked) == 0 {
		return false, err
	}
	c, err := w.campaign(ctx, t, orders, from, from+len(linked))
	if err != nil {
		return false, err
	}
	fresh, err := s.UntilRounds(ctx, what+" in other link orders", c, nil, []int{rounds * len(linked)}, func([]harness.Round) bool { return true })
	if errors.Is(err, ErrBudget) { // which linking took the rest of
		return false, nil
	}
	for i := range fresh {
		fresh[i].Layout += from
	}
	t.Orders += len(linked)
	t.rounds = append(t.rounds, fresh...)
	return true, err
}
