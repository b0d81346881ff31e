package report

import "testing"

// TestCounted: how often a function is called is a fact of that function, and none of others.
func TestCounted(t *testing.T) {
	good, bad := 0.0, 40.0
	c := Culprit{Facts: []Fact{{Kind: "profile", Function: "m.f"}, {Kind: "calls", Function: "m.f", Good: &good, Bad: &bad, Unit: "calls/op"}}}
	if g, b := c.Counted("m.f"); g != 0 || b != 40 {
		t.Errorf("%v and %v", g, b)
	}
	if g, b := c.Counted("m.g"); g != 0 || b != 0 {
		t.Errorf("of another %v and %v", g, b)
	}
}
