package excelize_test

import (
	"testing"

	"github.com/xuri/excelize/v2"
)

// BenchmarkDrvStream writes a hundred rows of texts to a stream.
func BenchmarkDrvStream(b *testing.B) {
	row := make([]interface{}, 10)
	for i := range row {
		row[i] = "the text of a cell"
	}
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		f := excelize.NewFile()
		w, err := f.NewStreamWriter("Sheet1")
		if err != nil {
			b.Fatal(err)
		}
		for n := 1; n <= 100; n++ {
			cell, _ := excelize.CoordinatesToCellName(1, n)
			if err := w.SetRow(cell, row); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}
