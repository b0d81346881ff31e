package profiles

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// A Profile is the time of a program by functions.
type Profile struct {
	Samples float64            // how often the program was looked at
	Own     map[string]float64 // of them, by the function that ran
	All     map[string]float64 // by those that ran or waited for it
}

// Read reads a CPU profile as runtime/pprof, Pyroscope and Parca write it, compressed or
// not. Of samples only those count that have a label, written key:value, which focus
// matches; nil is all. Errors say what is wrong with the file.
func Read(name string, focus *regexp.Regexp) (*Profile, error) {
	data, err := outside.Named(name, mostProfile)
	if err != nil {
		return nil, err
	}
	var p *Profile
	if data, err = outside.Inflate(data, mostProfile); err == nil {
		p, err = parse(data, focus)
	} else {
		err = cutOff(err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// cutOff says what it means that a file is no profile.
func cutOff(err error) error {
	return fmt.Errorf("not a profile, or one that was cut off while it was written: %w", err)
}

// mostProfile is how much a profile may be, compressed or not, in bytes.
const mostProfile = 256 << 20

func parse(data []byte, focus *regexp.Regexp) (*Profile, error) {
	if len(data) == 0 {
		return nil, errors.New("the file is empty")
	}
	raw, err := profile.ParseData(data)
	if err != nil {
		return nil, cutOff(err)
	}
	value, perSample, err := timeOf(raw)
	if err != nil {
		return nil, err
	}
	p := &Profile{Own: make(map[string]float64), All: make(map[string]float64)}
	named := false
	for _, s := range raw.Sample {
		n := float64(s.Value[value]) / perSample
		if n <= 0 || !labelled(s, focus) {
			continue
		}
		p.Samples += n
		stack := stackOf(s)
		named = named || len(stack) > 0
		if len(stack) > 0 {
			p.Own[stack[0]] += n
		}
		slices.Sort(stack)
		for _, f := range slices.Compact(stack) {
			p.All[f] += n
		}
	}
	switch {
	case p.Samples == 0 && focus != nil && len(raw.Sample) > 0:
		return nil, fmt.Errorf("no sample has a label that %q matches", focus)
	case p.Samples == 0:
		return nil, errors.New("it has no samples: the program was idle, or the recording was not stopped")
	case !named:
		return nil, errors.New("its samples have no names of functions: it was not symbolised")
	}
	return p, nil
}

// timeOf finds the value that counts processor time, and what one sample of it is.
func timeOf(raw *profile.Profile) (index int, perSample float64, err error) {
	var types []string
	for i, t := range raw.SampleType {
		types = append(types, t.Type)
		if t.Type == "samples" && t.Unit == "count" && slices.ContainsFunc(raw.SampleType, isCPU) {
			return i, 1, nil
		}
	}
	if i := slices.IndexFunc(raw.SampleType, isCPU); i >= 0 {
		return i, float64(max(raw.Period, 1)), nil
	}
	for _, known := range []struct{ typ, what string }{
		{"inuse_space", "heap"}, {"alloc_space", "heap"}, {"contentions", "mutex or block"}, {"goroutine", "goroutine"}, {"threadcreate", "thread"},
	} {
		if slices.Contains(types, known.typ) {
			return 0, 0, fmt.Errorf("it is a %s profile: CPU profiles are compared", known.what)
		}
	}
	return 0, 0, fmt.Errorf("it is not a CPU profile: its values are %s", strings.Join(types, ", "))
}

func isCPU(t *profile.ValueType) bool {
	return (t.Type == "cpu" || t.Type == "process_cpu") && t.Unit == "nanoseconds"
}

func labelled(s *profile.Sample, focus *regexp.Regexp) bool {
	if focus == nil {
		return true
	}
	for key, values := range s.Label {
		for _, value := range values {
			if focus.MatchString(key + ":" + value) {
				return true
			}
		}
	}
	return false
}

// stackOf are the functions of a sample, the one that ran first, inlined ones included.
func stackOf(s *profile.Sample) []string {
	var names []string
	for _, loc := range s.Location {
		for _, line := range loc.Line {
			if line.Function != nil && line.Function.Name != "" {
				names = append(names, plain(line.Function.Name))
			}
		}
	}
	return names
}

var typeArguments = regexp.MustCompile(`\[[^\[\]]*\]`)

// plain is a function's name without type arguments.
func plain(name string) string {
	for {
		short := typeArguments.ReplaceAllString(name, "")
		if short == name {
			return strings.ReplaceAll(name, "%2e", ".")
		}
		name = short
	}
}
