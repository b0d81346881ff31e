package finder

import "github.com/pinpoint-go/pinpoint/stats"

// accept is [Accept] of what a set was proved to take away. What is surely more than all
// there is, is withdrawn, unless bad has an improvement elsewhere that makes up for it:
// with all put back but the set, bad is as much slower as the set is beyond the whole.
// Good's code that is only faster for not doing its work does not add up so.
func (h *halving) accept(by Evidence, r reading, limit float64) (Acceptance, error) {
	says := Accept(by, r.Interval, limit)
	if r.cannot || r.Low <= TooMuch || r.set == nil {
		return says, nil
	}
	others, ok, err := h.closed(minus(h.all(), r.set))
	if err != nil || !ok || len(others) == 0 || len(others)+len(r.set) > len(h.Elements) {
		return says, err
	}
	rest, err := h.prove(others, (1-r.Mean)/2)
	if err != nil || rest.cannot || rest.High >= 0 {
		return says, err
	}
	sum := between(r.Interval, stats.Interval{Mean: -rest.Mean, Low: -rest.High, High: -rest.Low})
	if sum.Low > TooMuch || sum.High < 1/TooMuch {
		return says, nil
	}
	return Accept(by, stats.Interval{Mean: r.Mean, Low: TooMuch, High: r.High}, limit), nil
}
