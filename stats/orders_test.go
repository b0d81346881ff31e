package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

const ordersHead = `# Chance of the verdict "slower" for a true slowdown in so many link orders, in
# percent, where orders move a ratio by sd_% as a standard deviation. Two pairs of each
# order, which scatter by 1 %. Minimum effect 1 %, error 1.4e-4, nothing known of the
# benchmark before; 600 comparisons a cell. Of code that is no slower (0 %) none is to be.
# go test ./stats -run TestOrdersTable -update makes it.
# sd_% orders     0 %    3 %    5 %   10 %   20 %   50 %  100 %
`

var (
	orderSlowdowns = []float64{0, 3, 5, 10, 20, 50, 100}
	orderCounts    = []int{1, 2, 3, 4, 5, 6, 8, 12, 16, 32}
)

func ordersLine(sd float64, orders int) string {
	line := fmt.Sprintf("%6g %6d", 100*sd, orders)
	for _, slowdown := range orderSlowdowns {
		rng := rand.New(rand.NewPCG(uint64(orders), math.Float64bits(sd+slowdown)))
		slower := 0.
		for range powerRounds {
			if o, _ := CompareOver(linked(rng, orders, 2, 1+slowdown/100, sd, .01), powerAlpha, .01, UsualLayouts); o.Verdict == Slower {
				slower += 100. / powerRounds
			}
		}
		line += fmt.Sprintf(" %6.1f", slower)
	}
	return line + "\n"
}

// TestOrdersTable holds the committed table against the simulation made anew.
func TestOrdersTable(t *testing.T) {
	const name = "testdata/orders.txt"
	if *update {
		table := ordersHead
		for _, sd := range layoutSDs {
			for _, orders := range orderCounts {
				table += ordersLine(sd, orders)
			}
			table += "\n\n"
		}
		write(t, name, []byte(strings.TrimRight(table, "\n")+"\n"))
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	table := strings.Split(string(text), "\n")
	if !strings.HasPrefix(string(text), ordersHead) || len(table) != strings.Count(ordersHead, "\n")+len(layoutSDs)*(len(orderCounts)+2)-1 {
		t.Errorf("%s has %d lines: run with -update", name, len(table))
	}
	for i, line := range table {
		var sd float64
		var orders int
		if n, _ := fmt.Sscan(line, &sd, &orders); n < 2 || testing.Short() && i%5 != 0 {
			continue
		}
		got, want := strings.Fields(ordersLine(sd/100, orders)), strings.Fields(line)
		for k := range got {
			g, _ := strconv.ParseFloat(got[k], 64)
			w, _ := strconv.ParseFloat(want[k], 64)
			if math.Abs(g-w) > 0.5 { // another architecture may round otherwise
				t.Errorf("%s has %q, the simulation says %q: run with -update, and look at what changed", name, want, got)
				break
			}
		}
		if w, _ := strconv.ParseFloat(want[2], 64); w > 100*powerAlpha+0.7 {
			t.Errorf("%q: code that is no slower is called slower", line)
		}
	}
}
