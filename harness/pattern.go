package harness

import (
	"fmt"
	"regexp"
	"strings"
)

// Pattern names benchmarks as go test's -bench does: alternatives set off by |,
// each a list of regular expressions set off by slashes, one for each element of a
// name. A function's name stands for all of its sub-benchmarks.
type Pattern struct {
	text         string
	alternatives [][]*regexp.Regexp
}

// ParsePattern reads a pattern.
func ParsePattern(text string) (*Pattern, error) {
	p := &Pattern{text: text}
	for _, alternative := range splitOutside(text, '|') {
		var elements []*regexp.Regexp
		for _, element := range splitOutside(alternative, '/') {
			re, err := regexp.Compile(element)
			if err != nil {
				return nil, fmt.Errorf("the pattern %q: %w", text, err)
			}
			elements = append(elements, re)
		}
		p.alternatives = append(p.alternatives, elements)
	}
	return p, nil
}

func (p *Pattern) String() string { return p.text }

// Matches says whether the pattern names a benchmark. Nil names all.
func (p *Pattern) Matches(name string) bool { return p.match(name, false) }

// MayMatch says whether it names a function or a benchmark below it.
func (p *Pattern) MayMatch(function string) bool { return p.match(function, true) }

func (p *Pattern) match(name string, partly bool) bool {
	if p == nil {
		return true
	}
	parts := strings.Split(name, "/")
	for _, elements := range p.alternatives {
		if len(elements) > len(parts) && !partly {
			continue
		}
		all := true
		for i := range min(len(elements), len(parts)) {
			all = all && elements[i].MatchString(parts[i])
		}
		if all {
			return true
		}
	}
	return false
}

// PatternOf is the pattern that matches one benchmark and no other, element by element
// as package testing does.
func PatternOf(benchmark string) string {
	elements := strings.Split(benchmark, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}

// splitOutside splits at a separator that stands outside of brackets.
func splitOutside(s string, separator byte) []string {
	var parts []string
	square, round, start := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			square++
		case c == ']':
			square = max(0, square-1)
		case c == '(' && square == 0:
			round++
		case c == ')' && square == 0:
			round--
		case c == separator && square == 0 && round == 0:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}
