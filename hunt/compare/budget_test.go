package compare

import (
	"testing"
	"time"
)

// within is a budget with so much time left, whose pairs take a second, its builds ten
// and its links two.
func within(left time.Duration) *Budget {
	return &Budget{Limit: left, Start: time.Now(), Pair: time.Second, Build: 10 * time.Second, Link: 2 * time.Second}
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
		if got := within(test.left).AffordsLayer(test.orders); got != test.want {
			t.Errorf("%v left, %d orders: %v", test.left, test.orders, got)
		}
	}
}

// What follows takes what is left, or as much of it as it may.
func TestSpare(t *testing.T) {
	for _, test := range []struct{ left, most, from, to time.Duration }{
		{time.Hour, 0, 59 * time.Minute, time.Hour},
		{time.Hour, time.Minute, 0, time.Minute},
		{time.Minute, time.Hour, 0, time.Minute},
		{time.Hour, 1, -time.Minute, 0},
		{-time.Minute, 1, -2 * time.Minute, -time.Minute},
	} {
		b := within(test.left)
		b.Spare(test.most)
		if left := b.Left(); left < test.from || left > test.to {
			t.Errorf("of %v at most %v: %v left, want %v to %v", test.left, test.most, left, test.from, test.to)
		}
	}
}

// What is kept for later is there again when it is released, for Spare, too.
func TestReserve(t *testing.T) {
	b := within(time.Minute)
	release := b.Reserve(20 * time.Second)
	if left := b.Left(); left > 40*time.Second {
		t.Errorf("%v left beside 20s", left)
	}
	release()
	if b.Spare(10 * time.Second); b.Left() > 10*time.Second || b.Left() < 5*time.Second {
		t.Errorf("%v left of 10s", b.Left())
	}
}

// Half of the time that there was is for other orders: linking them, and pairs of them.
func TestAffordsOrder(t *testing.T) {
	for _, test := range []struct {
		begin, left   time.Duration
		fresh, rounds int
		want          bool
	}{
		{time.Minute, time.Minute, 0, 3, true},
		{time.Minute, 45 * time.Second, 3, 3, true}, // 15 seconds are gone, and it takes 14 more
		{time.Minute, 45 * time.Second, 4, 3, false},
		{8 * time.Second, 8 * time.Second, 0, 3, false},
	} {
		if got := within(test.left).affordsOrder(test.begin, test.fresh, test.rounds); got != test.want {
			t.Errorf("%v of %v left, %d new orders: %v", test.left, test.begin, test.fresh, got)
		}
	}
}
