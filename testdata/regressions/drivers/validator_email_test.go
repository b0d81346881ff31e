package validator_test

import (
	"testing"

	"github.com/go-playground/validator/v10"
)

// BenchmarkDrvEmail validates addresses.
func BenchmarkDrvEmail(b *testing.B) {
	v := validator.New()
	list := []string{"gopher@example.com", "first.last+tag@sub.example.org", "not an address", "x@y.de"}
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		for _, address := range list {
			v.Var(address, "required,email")
		}
	}
}
