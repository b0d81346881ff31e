package measure

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/pinpoint-go/pinpoint/backup"
)

// A Param is an environment variable with the values that it takes in turn.
type Param struct {
	Name   string
	Values []string
}

// ParseParam reads NAME=a,b,c. An empty value is one.
func ParseParam(s string) (Param, error) {
	name, values, ok := strings.Cut(s, "=")
	if !ok || !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(name) {
		return Param{}, fmt.Errorf("%q: give a parameter as NAME=VALUE,VALUE", s)
	}
	return Param{name, strings.Split(values, ",")}, nil
}

// A Setting is one value of a parameter.
type Setting struct{ Name, Value string }

// A Scenario is what one process can run.
type Scenario struct {
	Rev      backup.Revision
	Bench    string    // as package testing names it; for tests and programs what stands for it
	Settings []Setting // in the order of the parameters
	CPUs     int       // GOMAXPROCS, never 0
}

// Name is the scenario's name in Go's benchmark format, without the revision:
// the benchmark's, its settings as sub-benchmarks, the number of processors as
// package testing appends it.
func (s Scenario) Name() string {
	var b strings.Builder
	b.WriteString(s.Bench)
	for _, p := range s.Settings {
		fmt.Fprintf(&b, "/%s=%s", p.Name, strings.Map(nameable, p.Value))
	}
	if s.CPUs != 1 {
		fmt.Fprintf(&b, "-%d", s.CPUs)
	}
	return b.String()
}

// nameable replaces what would end a name or one of its parts.
func nameable(r rune) rune {
	if r <= ' ' || r == '/' {
		return '_'
	}
	return r
}

// environment is the settings as a child's environment has them.
func (s Scenario) environment() []string {
	var env []string
	for _, p := range s.Settings {
		env = append(env, p.Name+"="+p.Value)
	}
	return env
}

// settings are all combinations of the parameters' values, the last parameter's
// changing fastest. Without parameters there is one, the empty one.
func settings(params []Param) [][]Setting {
	all := [][]Setting{nil}
	for _, p := range params {
		var next [][]Setting
		for _, s := range all {
			for _, v := range p.Values {
				next = append(next, append(s[:len(s):len(s)], Setting{p.Name, v}))
			}
		}
		all = next
	}
	return all
}
