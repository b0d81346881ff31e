package decimal_test

import (
	"testing"

	"github.com/shopspring/decimal"
)

var prices = []string{"19.99", "0.5", "123456789.123456789", "1e6", "-42.75", "3"}

var sink decimal.Decimal

// BenchmarkDrvCopy copies prices, as a snapshot of a list of them does.
func BenchmarkDrvCopy(b *testing.B) {
	var list []decimal.Decimal
	for _, p := range prices {
		list = append(list, decimal.RequireFromString(p))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		for _, d := range list {
			sink = d.Copy()
		}
	}
}

// BenchmarkDrvPow compounds interest over years and a half.
func BenchmarkDrvPow(b *testing.B) {
	rate, years := decimal.RequireFromString("1.035"), decimal.RequireFromString("7.5")
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sink = rate.Pow(years)
	}
}
