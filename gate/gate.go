// Package gate reads what somebody else's gate left behind: which benchmarks it called
// slower, by how much, and which tests failed.
//
// It takes two outputs of go test -bench (the base's first), what benchstat prints as text
// or CSV, the JSON of github-action-benchmark and of gobenchdata, JUnit, and a list of
// names, one a line. Which of these a file is, it tells by what is in it.
//
// It promises nothing about the numbers: they are claims, and order what is measured.
package gate

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// An Alarm is one benchmark or test that a gate complains of.
type Alarm struct {
	Kind    harness.Kind // Bench or Test
	Package string       // import path; "" is not known
	Name    string       // with Benchmark or Test in front; of a sub-benchmark with its elements
	Ratio   float64      // of head to base, as claimed; 0 is not known
	Seconds float64      // that the test took; 0 is not known
	Claim   string       // what the gate says, in a phrase
}

// Names are those that the alarm may mean: behind a dash there may be a number of
// processors, which is no part of the name.
func (a Alarm) Names() []string {
	if bare := processors.ReplaceAllString(a.Name, ""); bare != a.Name {
		return []string{bare, a.Name}
	}
	return []string{a.Name}
}

var processors = regexp.MustCompile(`-\d+$`)

// Read reads the files of one gate. Of two outputs, and of histories, those benchmarks
// count whose head takes longer by more than the share above. The alarms come most
// slower first; what says nothing of how much comes last.
func Read(files []string, above float64) ([]Alarm, error) {
	var alarms []Alarm
	var outputs []output
	for _, name := range files {
		data, err := outside.Named(name, mostFile)
		if err != nil {
			return nil, err
		}
		read := formatOf(data)
		if read == nil {
			out, err := readOutput(name, data)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			outputs = append(outputs, out)
			continue
		}
		found, err := read(data, above)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		alarms = append(alarms, found...)
	}
	switch len(outputs) {
	case 0:
	case 2:
		alarms = append(alarms, between(outputs[0], outputs[1], above)...)
	default:
		return nil, fmt.Errorf("%d outputs of go test -bench: give two, the base's and then the head's", len(outputs))
	}
	slices.SortStableFunc(alarms, func(a, b Alarm) int { return cmp.Compare(b.Ratio, a.Ratio) })
	return slices.CompactFunc(alarms, func(a, b Alarm) bool { return a.Name == b.Name && a.Package == b.Package }), nil
}

// mostFile is how long a file of a gate may be, in bytes.
const mostFile = 64 << 20

// formatOf tells what a file is by what is in it; nil is an output of go test -bench.
func formatOf(data []byte) func([]byte, float64) ([]Alarm, error) {
	text := bytes.TrimSpace(data)
	switch {
	case bytes.HasPrefix(text, []byte("<")):
		return readJUnit
	case bytes.HasPrefix(text, []byte("window.BENCHMARK_DATA")), bytes.HasPrefix(text, []byte("{")):
		return readAction
	case bytes.HasPrefix(text, []byte("[")):
		return readData
	case comparison.Match(text):
		return readBenchstat
	case measured.Match(text):
		return nil
	}
	return readNames
}

var (
	comparison = regexp.MustCompile(`(?m)vs base|^name .*\bdelta\b`)
	measured   = regexp.MustCompile(`(?m)^Benchmark\S+\s+\d+\s+\S+ ns/op`)
)

// readNames reads one name a line: Name, import/path.Name or import/path Name.
func readNames(data []byte, _ float64) ([]Alarm, error) {
	var alarms []Alarm
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := named.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%q names no benchmark or test, and the file is no format that is known: benchmarks' output or JSON, benchstat's, JUnit", line)
		}
		alarms = append(alarms, Alarm{Kind: kinds[m[3]+m[4]], Package: m[1], Name: m[2], Claim: "is in the list"})
	}
	if len(alarms) == 0 {
		return nil, fmt.Errorf("it is empty")
	}
	return alarms, nil
}

var (
	named = regexp.MustCompile(`^(?:(\S+)[. ])?((Benchmark|Test)[^a-z\s]\S*|(Benchmark|Test))$`)
	kinds = map[string]harness.Kind{"Benchmark": harness.Bench, "Test": harness.Test}
)
