package stats

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The two tables of the page on how it is decided are those of testdata.
func TestDocsShowTheTables(t *testing.T) {
	page, err := os.ReadFile("../docs/deciding.md")
	if err != nil {
		t.Fatal(err)
	}
	has := func(cells ...any) {
		t.Helper()
		if row := strings.TrimSuffix(fmt.Sprintln(cells...), "\n"); !strings.Contains(string(page), row+"\n") {
			t.Errorf("the page lacks %q", row)
		}
	}
	text, err := os.ReadFile("testdata/power.txt")
	if err != nil {
		t.Fatal(err)
	}
	curve := readPower(t, string(text))
	for _, slowdown := range []float64{2, 3, 5, 10} {
		row := []any{"|", slowdown, "%"}
		for _, pairs := range []int{8, 12, 24, 48} {
			row = append(row, "|", fmt.Sprintf("%.0f", curve[point{slowdown, pairs}][pairsInTurns]+1e-9))
		}
		for _, pairs := range []int{48, 384} {
			row = append(row, "|", fmt.Sprintf("%.0f", curve[point{slowdown, pairs}][welchInTurns]+1e-9))
		}
		has(append(row, "|")...)
	}
	orders, err := os.ReadFile("testdata/orders.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, sd := range layoutSDs {
		row := []any{"|", 100 * sd, "%"}
		if sd == 0 {
			row = []any{"| nothing"}
		}
		for _, slowdown := range []float64{5, 10, 20, 50, 100} {
			row = append(row, "|", enough(string(orders), sd, slowdown))
		}
		has(append(row, "|")...)
	}
}

// enough is in how many orders four of five such slowdowns are told.
func enough(table string, sd, slowdown float64) string {
	column := 2
	for i, s := range orderSlowdowns {
		if s == slowdown {
			column += i
		}
	}
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) != 2+len(orderSlowdowns) || fields[0] != strconv.FormatFloat(100*sd, 'g', -1, 64) {
			continue
		}
		if told, _ := strconv.ParseFloat(fields[column], 64); told >= 80 {
			return fields[1]
		}
	}
	return "more than 32"
}
