package report

import (
	"fmt"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Machines is a comparison on several kinds of machines of a fleet.
type Machines struct {
	Kinds []Machine `json:"kinds"`
	Over  *Interval `json:"over"` // the ratio over kinds of machines, with an interval for one not seen yet; null where there are too few pairs
}

// Machine is a comparison on machines of one kind.
type Machine struct {
	Class   string    `json:"class"`
	About   string    `json:"about"`   // processor, cores, system
	Workers int       `json:"workers"` // that there were
	Pairs   int       `json:"pairs"`
	Verdict string    `json:"verdict"` // slower, same, faster, mixed or unknown, on these machines
	Ratio   *Interval `json:"ratio"`
	Hunted  bool      `json:"hunted,omitempty"` // the delta and all that follows is of these
}

// one writes what a kind says.
func (m Machine) one() string {
	said := m.Verdict
	if m.Ratio != nil {
		said += ", " + ratio(*m.Ratio)
	}
	return fmt.Sprintf("%s: %s in %s", m.About, said, text.Plural(m.Pairs, "pair"))
}

// lines writes what each kind says, and the ratio over all of them; nothing of fewer than two.
func (m *Machines) lines() (lines []string) {
	if m == nil || len(m.Kinds) < 2 {
		return nil
	}
	for _, k := range m.Kinds {
		lines = append(lines, "on "+k.one())
	}
	if m.Over != nil {
		lines = append(lines, fmt.Sprintf("over %d kinds of machines: %s", len(m.Kinds), ratio(*m.Over)))
	}
	return lines
}

// Slower says of which kinds a difference is that not all show; "" where there is none, or
// all show it.
func (m *Machines) Slower() string {
	if m == nil {
		return ""
	}
	var slower, others []string
	for _, k := range m.Kinds {
		if k.Verdict == "slower" {
			slower = append(slower, k.About)
		} else {
			others = append(others, k.About+" ("+k.Verdict+")")
		}
	}
	if len(slower) == 0 || len(others) == 0 {
		return ""
	}
	return fmt.Sprintf("slower on %s, and not as far as seen on %s: what follows is of the former",
		strings.Join(slower, " and "), strings.Join(others, " and "))
}
