package copier_test

import (
	"testing"

	"github.com/jinzhu/copier"
)

type drvFrom struct {
	Name, Email string
	Age         int
	Tags        []string
	Address     drvAddress
}

type drvTo struct {
	Name, Email string
	Age         int64
	Tags        []string
	Address     drvAddress
}

type drvAddress struct{ Street, City string }

// BenchmarkDrvCopy copies a list of structs to structs of another type.
func BenchmarkDrvCopy(b *testing.B) {
	from := make([]drvFrom, 10)
	for i := range from {
		from[i] = drvFrom{Name: "gopher", Email: "gopher@example.com", Age: 15, Tags: []string{"a", "b"}, Address: drvAddress{"Main Street", "Town"}}
	}
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		var to []drvTo
		if err := copier.Copy(&to, &from); err != nil {
			b.Fatal(err)
		}
	}
}
