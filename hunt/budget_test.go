package hunt

import (
	"testing"
	"time"
)

// within is a hunt with so much time left, whose pairs take a second, its builds ten
// and its links two.
func within(left time.Duration, orders int) *hunt {
	h := &hunt{start: time.Now(), cost: costs{pair: time.Second, build: 10 * time.Second, link: 2 * time.Second}}
	h.opts.Budget = left
	h.orders = make([]order, orders)
	return h
}

// A layer is opened where what is found there can be confirmed and proved, which takes
// longer where the difference is small.
func TestAffordsLayer(t *testing.T) {
	for _, test := range []struct {
		left   time.Duration
		orders int
		want   bool
	}{
		{time.Hour, 0, true},
		{time.Minute, 0, true}, // two builds and three times twelve pairs take 56 seconds
		{50 * time.Second, 0, false},
		{time.Minute, 8, false},
		{2 * time.Minute, 8, true}, // two builds, twelve pairs, twice sixteen, sixteen links: 96 seconds
		{-time.Second, 0, false},
	} {
		if got := within(test.left, test.orders).affordsLayer(); got != test.want {
			t.Errorf("%v left, %d orders: %v", test.left, test.orders, got)
		}
	}
}

func TestAffordableOrders(t *testing.T) {
	for _, test := range []struct {
		left  time.Duration
		pairs int
		want  int
	}{
		{time.Hour, 16, layouts},
		{30 * time.Second, 16, 6}, // 27 seconds less 16 for the pairs: five links more
		{21 * time.Second, 16, 2},
		{10 * time.Second, 16, 1},
		{-time.Second, 0, 1},
	} {
		if got := within(test.left, 0).affordableOrders(test.pairs); got != test.want {
			t.Errorf("%v left for %d pairs: %d orders, want %d", test.left, test.pairs, got, test.want)
		}
	}
}
