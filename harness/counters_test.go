package harness

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/pinpoint-go/pinpoint/instrument"
)

func TestExecutedPerOperation(t *testing.T) {
	full := instrument.Reading{Value: 6000, Enabled: 100, Running: 100}
	for _, test := range []struct {
		name       string
		counts     [2]instrument.Reading
		operations float64
		want       Executed
	}{
		{"all the time", [2]instrument.Reading{full, {Value: 3000, Enabled: 100, Running: 100}}, 3, Executed{2000, 1000}},
		{"nearly", [2]instrument.Reading{full, {Value: 1900, Enabled: 100, Running: 95}}, 1, Executed{6000, 2000}},
		{"half the time", [2]instrument.Reading{full, {Value: 1900, Enabled: 100, Running: 50}}, 1, Executed{}},
		{"never", [2]instrument.Reading{full, {Enabled: 100}}, 1, Executed{}},
		{"nothing", [2]instrument.Reading{}, 1, Executed{}},
		{"one of two", [2]instrument.Reading{full}, 1, Executed{}},
		{"no operations", [2]instrument.Reading{full, full}, 0, Executed{}},
		{"no batches", [2]instrument.Reading{full, full}, -5, Executed{}},
	} {
		if got := executed(test.counts, test.operations); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// A counter writes three numbers; one that writes less said nothing.
func TestReadCounters(t *testing.T) {
	file := func(numbers ...uint64) *os.File {
		text, _ := binary.Append(nil, binary.NativeEndian, numbers)
		name := filepath.Join(t.TempDir(), "counter")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	c := counterFiles{file(1, 2, 3), file(4, 5, 6)}
	if got := c.total(); got != [2]instrument.Reading{{Value: 1, Enabled: 2, Running: 3}, {Value: 4, Enabled: 5, Running: 6}} {
		t.Errorf("%+v", got)
	}
	c.close()
	c = counterFiles{file(1, 2, 3), file(4, 5)}
	if got := c.total(); got != [2]instrument.Reading{} {
		t.Errorf("%+v of a counter that broke off", got)
	}
	c.close()
}
