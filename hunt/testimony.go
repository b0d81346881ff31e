package hunt

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/report"
)

// testify adds what putting the code back showed to a culprit.
func (h *hunt) testify(c *report.Culprit, p *proof) {
	h.proved[c.Function] = p
	c.Reverted = &report.Reverted{
		Recovered: interval(p.Recovered), Delta: *h.delta(p.Comparison),
		Functions: append([]string{}, p.plan.Functions...), // none is a list, too
	}
	if m := p.module; m != nil {
		c.Reverted.Level = "module"
		c.Reverted.Notes = []string{fmt.Sprintf("%s %s in place of %s", m.Path, m.Good, m.Bad)}
		c.Evidence = append(c.Evidence, fmt.Sprintf("with %s %s in bad, %s of the difference is gone", m.Path, m.Good, p.gone()))
		return
	}
	c.Reverted.Level = p.plan.Level.String()
	c.Reverted.Decls, c.Reverted.Notes = p.plan.Decls, p.plan.Notes
	if p.suspects[0].Kind != change.Func {
		c.Evidence = append(c.Evidence, fmt.Sprintf("with good's %s back in bad, %s of the difference is gone", dataOf(p.suspects), p.gone()))
		return
	}
	with := ""
	if n := len(p.plan.Functions) + len(p.plan.Decls) + len(p.plan.Fields) - 1; n > 0 {
		with = fmt.Sprintf(" (and what it needs: %s)", p.along(n))
	}
	c.Evidence = append(c.Evidence, fmt.Sprintf("with good's code for it back in bad%s, %s of the difference is gone", with, p.gone()))
	if names := h.beside(p); len(names) > 0 {
		c.Evidence = append(c.Evidence, "putting code back does not tell it from what had to come along, differs and can run, too: "+strings.Join(names, ", "))
	}
}

// dataOf names constants, variables and types.
func dataOf(suspects []change.Suspect) string {
	var names []string
	for _, s := range suspects {
		names = append(names, s.Kind.String()+" "+path.Base(s.Name))
	}
	return strings.Join(names, ", ")
}

// beside are the functions of a proof that nobody asked for, but that differ and are
// run by what is timed: it may be owed to them as well.
func (h *hunt) beside(p *proof) (names []string) {
	if len(p.plan.Functions) <= len(p.suspects) {
		return nil // nothing came along, and the culprit waits to be told of
	}
	reached := h.reachedWhileTimed()
	for _, s := range h.differing() {
		asked := slices.ContainsFunc(p.suspects, func(t change.Suspect) bool { return t.Name == s.Name })
		if !asked && p.takes(s) && (reached[s.Good] || reached[s.Bad]) {
			names = append(names, path.Base(s.Name))
		}
	}
	return names
}

// ofTests is 1 for the name of a test's function, and 0 for others.
func ofTests(name string) int {
	name = name[strings.LastIndexByte(name, '.')+1:]
	for _, prefix := range []string{"Test", "Benchmark", "Example", "Fuzz"} {
		if strings.HasPrefix(name, prefix) {
			return 1
		}
	}
	return 0
}

// along names what came with the code that was asked for, functions first; n is how
// many declarations.
func (p *proof) along(n int) string {
	const most = 3
	var names []string
	for _, name := range slices.Concat(p.plan.Functions[min(1, len(p.plan.Functions)):], p.plan.Decls, p.plan.Fields) {
		names = append(names, path.Base(name))
	}
	// What a test needs to compile comes too, and says nothing of the function.
	slices.SortStableFunc(names, func(a, b string) int { return ofTests(a) - ofTests(b) })
	if n > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(names, ", ")
}
