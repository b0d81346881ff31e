package gate

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// readBenchstat reads the tables of times that benchstat prints, as text or as CSV, and
// takes what it calls slower: a difference in figures, where it prints ~ for none.
func readBenchstat(data []byte, _ float64) ([]Alarm, error) {
	var alarms []Alarm
	pkg, times := "", false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if path, ok := strings.CutPrefix(line, "pkg: "); ok {
			pkg = strings.TrimSpace(path)
			continue
		}
		if unit.MatchString(line) {
			times = strings.Contains(line, "sec/op") || strings.Contains(line, "time/op")
			continue
		}
		name, rest := nameIn(line)
		change := slower.FindStringSubmatch(rest)
		if !times || name == "" || name == "geomean" || name == "[Geo mean]" || change == nil {
			continue
		}
		percent, err := strconv.ParseFloat(change[1], 64)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		alarms = append(alarms, alarm(pkg, "Benchmark"+strings.TrimPrefix(name, "Benchmark"), 1+percent/100, "by benchstat"))
	}
	return alarms, nil
}

// nameIn is the first column of a table's row.
func nameIn(line string) (name, rest string) {
	if fields, err := csv.NewReader(strings.NewReader(line)).Read(); err == nil && len(fields) > 3 {
		return fields[0], " " + strings.Join(fields[1:], " ") + " "
	}
	if fields := strings.Fields(line); len(fields) > 3 {
		return fields[0], line + " "
	}
	return "", ""
}

var (
	unit   = regexp.MustCompile(`\b(sec|time|B|allocs?|alloc)/op\b|\bspeed\b|/s\b`)
	slower = regexp.MustCompile(`[\s,]\+(\d+(?:\.\d+)?)%`)
)
