package probe

import "testing"

func TestPairReturnsValue(t *testing.T) {
	var m [1]Mark
	if got := Stop(Begin(&m[0], 17), Restart(&m[0], 3)); got != 3 {
		t.Errorf("Stop = %d, want 3", got)
	}
}
