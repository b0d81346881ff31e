package sensitivity

import "testing"

func BenchmarkServe(b *testing.B) {
	d := newDesk()
	for b.Loop() {
		serve(d)
	}
}
