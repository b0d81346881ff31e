package change

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Module is a dependency that both programs link, in different versions.
type Module struct {
	Path, Good, Bad string // versions
}

// Modules lists the dependencies whose versions differ, by path. Those that a directory
// replaces have source of their own among the suspects.
func (c *Change) Modules() []Module {
	good := c.Good.versions()
	var list []Module
	for path, bad := range c.Bad.versions() {
		if v := good[path]; v != "" && v != bad {
			list = append(list, Module{path, v, bad})
		}
	}
	slices.SortFunc(list, func(a, b Module) int { return cmp.Compare(a.Path, b.Path) })
	return list
}

func (s *Side) versions() map[string]string {
	versions := make(map[string]string)
	for _, pkg := range s.Packages {
		if m := pkg.Module; m != nil && !Local(pkg) {
			if m.Replace != nil {
				m = &packages.Module{Path: m.Path, Version: m.Replace.Version}
			}
			versions[m.Path] = m.Version
		}
	}
	return versions
}
