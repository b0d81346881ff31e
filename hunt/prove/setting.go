package prove

import (
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Settings are those of a pair of revisions, which are loaded.
func Settings(set *revision.Set) (list []Element) {
	p := set.Pair()
	add := func(s Setting) { list = append(list, Element{Setting: &s, Near: Timed}) }
	if good, bad := p.Good.Go().Version, p.Bad.Go().Version; good != bad {
		add(Setting{Name: "toolchain", Back: "by good's " + good, Position: bad, Toolchain: p.Good})
	}
	good, bad := p.Good.Profile(), p.Bad.Profile()
	switch {
	case set.SameProfile():
	case good == "":
		add(Setting{Name: "default.pgo", Back: "without a profile, as good is", Position: bad, PGO: "off"})
	case bad == "":
		add(Setting{Name: "default.pgo", Back: "by good's default.pgo", Position: good, PGO: p.Good.ProfileFile()})
	default:
		add(Setting{Name: "default.pgo", Back: "by good's default.pgo", Position: bad, PGO: p.Good.ProfileFile()})
	}
	return list
}

// Standard are the functions and data of standard libraries that differ, whose source is
// loaded and which are reached. What is not seen to be reached is left: it may be
// thousands.
func Standard(c *change.Change, reach Reach) []Element {
	c.Standard = true
	return slices.DeleteFunc(Elements(c, reach, nil), func(e Element) bool {
		if e.Near == Unseen || len(e.Suspects) != 1 {
			return true
		}
		d := e.Suspects[0].BadDecl
		if d == nil {
			d = e.Suspects[0].GoodDecl
		}
		return d.Pkg.Module != nil
	})
}
