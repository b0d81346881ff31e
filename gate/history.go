package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// readAction reads github-action-benchmark's data.js or JSON: the last two entries of each
// suite.
func readAction(data []byte, above float64) ([]Alarm, error) {
	if i := bytes.IndexByte(data, '{'); i >= 0 {
		data = data[i:]
	}
	var history struct {
		Entries map[string][]struct {
			Benches []struct {
				Name  string
				Value float64
				Unit  string
			}
		}
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&history); err != nil {
		return nil, err
	}
	if len(history.Entries) == 0 {
		return nil, errors.New("no entries: it is not github-action-benchmark's data")
	}
	var alarms []Alarm
	for _, entries := range history.Entries {
		if len(entries) < 2 {
			continue
		}
		var sides [2]output
		for i, entry := range entries[len(entries)-2:] {
			sides[i] = output{seconds: make(map[[2]string][]float64)}
			for _, b := range entry.Benches {
				name, metric, _ := strings.Cut(b.Name, " - ") // of several metrics each has an entry
				pkg := ""
				if name, pkg, _ = strings.Cut(name, " ("); pkg != "" {
					pkg = strings.TrimSuffix(pkg, ")")
				}
				if !strings.HasPrefix(b.Unit, "ns/op") || metric != "" && metric != "ns/op" {
					continue
				}
				sides[i].add(pkg, name, b.Value)
			}
		}
		alarms = append(alarms, between(sides[0], sides[1], above)...)
	}
	return alarms, nil
}

func (o *output) add(pkg, name string, value float64) {
	key := [2]string{pkg, name}
	if o.seconds[key] == nil {
		o.names = append(o.names, key)
	}
	o.seconds[key] = append(o.seconds[key], value)
}

// readData reads gobenchdata's JSON: the last two runs by their dates.
func readData(data []byte, above float64) ([]Alarm, error) {
	var runs []struct {
		Date   int64
		Suites []struct {
			Pkg        string
			Benchmarks []struct {
				Name    string
				NsPerOp float64
			}
		}
	}
	if err := json.Unmarshal(data, &runs); err != nil {
		return nil, err
	}
	if len(runs) < 2 {
		return nil, errors.New("one run: two are needed to compare")
	}
	last := [2]int{0, 1}
	if runs[0].Date > runs[1].Date {
		last = [2]int{1, 0}
	}
	for i := 2; i < len(runs); i++ {
		switch {
		case runs[i].Date >= runs[last[1]].Date:
			last = [2]int{last[1], i}
		case runs[i].Date >= runs[last[0]].Date:
			last[0] = i
		}
	}
	var sides [2]output
	for i, at := range last {
		sides[i] = output{seconds: make(map[[2]string][]float64)}
		for _, s := range runs[at].Suites {
			for _, b := range s.Benchmarks {
				sides[i].add(s.Pkg, b.Name, b.NsPerOp)
			}
		}
	}
	return between(sides[0], sides[1], above), nil
}
