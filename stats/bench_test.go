package stats

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats/noisy"
)

// What a simulated hunt spends its time on.
func BenchmarkCompare(b *testing.B) {
	for _, n := range []int{6, 24, 96, 384} {
		for _, by := range []Test{TestWelch, TestRank, TestAuto} {
			b.Run(fmt.Sprintf("test=%d/pairs=%d", by, n), func(b *testing.B) {
				good, bad := drawPairs(noisy.Shared.Start(rand.New(rand.NewPCG(1, 1))), n, 1.01)
				rule := Rule{Alpha: 1e-4, MinEffect: 1, Test: by}
				for b.Loop() {
					rule.Compare(good, bad)
				}
			})
		}
	}
}
