package harness

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Pattern names benchmarks as go test's -bench does: alternatives set off by |,
// each a list of regular expressions set off by slashes, one for each element of a
// name. A function's name stands for all of its sub-benchmarks, and that of a
// sub-benchmark for those whose names begin with it and a slash. A last element ^$,
// which go test does not have, is for the named one alone.
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
		if elements[len(elements)-1].String() == alone {
			if elements = elements[:len(elements)-1]; len(parts) > len(elements) {
				continue
			}
		}
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

// alone is the last element of a pattern that names a benchmark and none of those
// whose names begin with its name and a slash.
const alone = "^$"

// empty is an element that matches nothing but an empty one, where alone does not stand
// for that.
const empty = "^()$"

// PatternOf is the pattern that matches one benchmark and no other of a list, element by
// element as package testing does.
func PatternOf(benchmark string, others []string) string {
	elements := strings.Split(benchmark, "/")
	for i, e := range elements {
		if elements[i] = "^" + regexp.QuoteMeta(e) + "$"; e == "" { // of a name with slashes at its end or in a row
			elements[i] = empty
		}
	}
	if slices.ContainsFunc(others, func(o string) bool { return strings.HasPrefix(o, benchmark+"/") }) {
		elements = append(elements, alone)
	}
	return strings.Join(elements, "/")
}

// testingPatterns are the values of -test.bench and -test.skip for a pattern. Package
// testing knows no end of a name: what goes on behind it is skipped by an empty element.
func testingPatterns(pattern string) (bench, skip string) {
	var run, skipped []string
	for _, alternative := range splitOutside(pattern, '|') {
		before, is := strings.CutSuffix(alternative, "/"+alone)
		run = append(run, before)
		if is {
			skipped = append(skipped, before+"/")
		}
	}
	return strings.Join(run, "|"), strings.Join(skipped, "|")
}

// FirstElement is the part of a pattern that names a function: up to its first slash
// outside of brackets, as package testing has it for sub-benchmarks.
func FirstElement(pattern string) string { return splitOutside(pattern, '/')[0] }

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
