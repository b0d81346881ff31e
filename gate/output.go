package gate

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/pinpoint-go/pinpoint/harness"
)

// output is what a file of go test -bench holds: seconds per operation by package and
// name, in order.
type output struct {
	names   [][2]string
	seconds map[[2]string][]float64
}

func readOutput(name string, data []byte) (output, error) {
	out := output{seconds: make(map[[2]string][]float64)}
	r := benchfmt.NewReader(bytes.NewReader(data), name)
	for r.Scan() {
		result, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		value, ok := result.Value("sec/op")
		if !ok {
			continue
		}
		key := [2]string{result.GetConfig("pkg"), "Benchmark" + string(result.Name.Full())}
		if out.seconds[key] == nil {
			out.names = append(out.names, key)
		}
		out.seconds[key] = append(out.seconds[key], value)
	}
	return out, r.Err()
}

// between are the benchmarks that both outputs have and of which head's median is above
// base's by more than a share.
func between(base, head output, above float64) []Alarm {
	var alarms []Alarm
	for _, key := range head.names {
		good, bad := base.seconds[key], head.seconds[key]
		if len(good) == 0 {
			continue
		}
		if ratio := median(bad) / median(good); ratio > 1+above {
			alarms = append(alarms, alarm(key[0], key[1], ratio, fmt.Sprintf("medians of %d and %d runs", len(good), len(bad))))
		}
	}
	return alarms
}

// alarm is that of a benchmark.
func alarm(pkg, name string, ratio float64, by string) Alarm {
	claim := fmt.Sprintf("%+.1f %%, %s", 100*(ratio-1), by)
	if math.IsInf(ratio, 0) || math.IsNaN(ratio) { // no JSON has these
		ratio, claim = 0, "from no time at all, "+by
	}
	return Alarm{Kind: harness.Bench, Package: pkg, Name: name, Ratio: ratio, Claim: claim}
}

func median(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	return (xs[(len(xs)-1)/2] + xs[len(xs)/2]) / 2
}
