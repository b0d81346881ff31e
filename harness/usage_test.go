package harness

import (
	"testing"
	"time"
)

func TestHostCounters(t *testing.T) {
	const pressure = "some avg10=0.36 avg60=1.10 avg300=2.38 total=6161768591\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"
	if got := someDelay(pressure); got != 6161768591*time.Microsecond {
		t.Errorf("delay %v", got)
	}
	busy, stolen := processorTimes("cpu  100 20 3 744334 3444 4 50 1923 600 7000\n")
	if busy != 1770*time.Millisecond || stolen != 19230*time.Millisecond {
		t.Errorf("busy %v, stolen %v", busy, stolen)
	}
	for _, other := range []string{"", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2"} {
		if busy, stolen := processorTimes(other); busy != 0 || stolen != 0 || someDelay(other) != 0 {
			t.Errorf("%q: %v %v", other, busy, stolen)
		}
	}
}

// The rule can't see which side was slower, nor that one was.
func TestDisturbanceIsOfThePair(t *testing.T) {
	before := busyness{delay: time.Second, busy: 10 * time.Second, stolen: time.Second}
	after := busyness{delay: 2 * time.Second, busy: 14 * time.Second, stolen: 2 * time.Second}
	long, short := Usage{CPU: 3 * time.Second, Involuntary: 5, Waited: 2 * time.Second}, Usage{CPU: 500 * time.Millisecond, Involuntary: 1, Waited: time.Second}
	d := before.until(after, Process{Usage: long}, Process{Usage: short})
	if d != before.until(after, Process{Usage: short}, Process{Usage: long}) {
		t.Error("exchanging the sides changes it")
	}
	if d.Foreign != 500*time.Millisecond || d.Stolen != time.Second || d.Delay != time.Second || d.Involuntary != 6 || d.Waited != 3*time.Second {
		t.Errorf("%+v", d)
	}
	if got, want := d.Rate(), 1/3.5; got != want {
		t.Errorf("rate %v, want %v", got, want)
	}
	d.Parallel = true
	if got, want := d.Rate(), 1.5/3.5; got != want {
		t.Errorf("rate %v of a parallel benchmark, want %v", got, want)
	}
	if d := after.until(before, Process{Usage: long}, Process{Usage: short}); d.Foreign != 0 {
		t.Errorf("foreign %v, want none below zero", d.Foreign)
	}
	if (Disturbance{}).Rate() != 0 {
		t.Error("a pair without CPU time has a rate")
	}
}

// Which round counts is decided by how it was disturbed, and in every order.
func TestCalmer(t *testing.T) {
	calm := Round{Disturbed: Disturbance{Usage: Usage{CPU: time.Second}, Stolen: time.Millisecond}}
	rough := Round{Disturbed: Disturbance{Usage: Usage{CPU: time.Second}, Stolen: time.Second}}
	for _, p := range [][2]Round{{calm, rough}, {rough, calm}} {
		if kept, aside := calmer(p[0], p[1]); kept.Disturbed != calm.Disturbed || aside.Disturbed != rough.Disturbed {
			t.Errorf("kept %+v", kept.Disturbed)
		}
	}
}

// However rough the machine is, a third of the pairs run again at most.
func TestRerunsAreFew(t *testing.T) {
	c := Campaign{}
	rough := Disturbance{Usage: Usage{CPU: time.Second}, Stolen: time.Second}
	calm := Disturbance{Usage: Usage{CPU: time.Second}, Stolen: time.Millisecond}
	for range 30 {
		c.ran++
		if c.mayRerun(calm) {
			t.Fatal("a pair that was not disturbed would run again")
		}
		if c.mayRerun(rough) {
			c.Aside = append(c.Aside, Round{})
		}
	}
	if len(c.Aside) != 10 {
		t.Errorf("%d of 30 pairs would run again, want 10", len(c.Aside))
	}
}
