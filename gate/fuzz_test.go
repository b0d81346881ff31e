package gate

import (
	"math"
	"testing"
)

// FuzzRead takes anything for what a gate left behind. Names that come out begin like a
// benchmark or a test, and claims are numbers.
func FuzzRead(f *testing.F) {
	for _, contents := range files {
		for _, text := range contents {
			f.Add([]byte(text))
		}
	}
	f.Add([]byte(`<testsuite><testcase classname="a" name="TestX" time="1e99"><failure/></testcase></testsuite>`))
	f.Add([]byte(`window.BENCHMARK_DATA = {"entries":{"x":[{"benches":[{"name":"","value":0}]},{}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var alarms []Alarm
		if read := formatOf(data); read != nil {
			alarms, _ = read(data, 0.05)
		} else if out, err := readOutput("fuzzed", data); err == nil {
			alarms = between(out, out, -0.05)
		}
		for _, a := range alarms {
			if len(a.Names()) == 0 || math.IsNaN(a.Ratio) || math.IsInf(a.Ratio, 0) || a.Ratio < 0 {
				t.Errorf("%+v", a)
			}
		}
	})
}
