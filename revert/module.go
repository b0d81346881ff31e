package revert

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// Module is a dependency that both programs link, in different versions.
type Module struct {
	Path, Good, Bad string // versions
}

// Modules lists the dependencies whose versions differ, by path. Those that a directory
// replaces have source of their own among the suspects.
func (c *Change) Modules() []Module {
	good := c.good.versions()
	var list []Module
	for path, bad := range c.bad.versions() {
		if v := good[path]; v != "" && v != bad {
			list = append(list, Module{path, v, bad})
		}
	}
	slices.SortFunc(list, func(a, b Module) int { return cmp.Compare(a.Path, b.Path) })
	return list
}

func (s *side) versions() map[string]string {
	versions := make(map[string]string)
	for _, pkg := range s.pkgs {
		if m := pkg.Module; m != nil && !local(pkg) {
			if m.Replace != nil {
				m = &packages.Module{Path: m.Path, Version: m.Replace.Version}
			}
			versions[m.Path] = m.Version
		}
	}
	return versions
}

// ModulePlan is bad with other versions of its dependencies.
type ModulePlan struct {
	Mod, Sum []byte // of the file that -modfile names, and its .sum beside it
	Modules  []Module
}

// ComposeModules puts good's version of these dependencies into bad. A replace
// directive holds each where it is, since another module may require more.
// Neither a workspace nor a vendor directory can be built this way, as the go
// command has it.
func (c *Change) ComposeModules(want []Module) (ModulePlan, error) {
	goodMod, goodSum, err := c.good.modFiles()
	if err != nil {
		return ModulePlan{}, err
	}
	badMod, badSum, err := c.bad.modFiles()
	if err != nil {
		return ModulePlan{}, err
	}
	for _, m := range want {
		if err := pin(badMod, goodMod, m); err != nil {
			return ModulePlan{}, fmt.Errorf("reverting module %s to %s: %w", m.Path, m.Good, err)
		}
	}
	addRequirements(badMod, goodMod)
	badMod.Cleanup()
	mod, err := badMod.Format()
	if err != nil {
		return ModulePlan{}, fmt.Errorf("writing go.mod: %w", err)
	}
	return ModulePlan{Mod: mod, Sum: mergeSums(badSum, goodSum), Modules: want}, nil
}

// pin replaces a module by good's version of it, which may be a replacement itself.
func pin(bad, good *modfile.File, m Module) error {
	to, version := m.Path, m.Good
	for _, r := range good.Replace {
		if r.Old.Path == m.Path && r.New.Version == m.Good {
			to = r.New.Path
		}
	}
	for _, r := range slices.Clone(bad.Replace) {
		if r.Old.Path == m.Path {
			if err := bad.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return err
			}
		}
	}
	return bad.AddReplace(m.Path, "", to, version)
}

// addRequirements adds what only good requires: the older dependency may need it.
func addRequirements(bad, good *modfile.File) {
	have := make(map[string]bool)
	for _, r := range bad.Require {
		have[r.Mod.Path] = true
	}
	for _, r := range good.Require {
		if !have[r.Mod.Path] {
			bad.AddNewRequire(r.Mod.Path, r.Mod.Version, true)
		}
	}
}

// mergeSums joins two go.sum files.
func mergeSums(files ...[]byte) []byte {
	var lines []string
	for _, f := range files {
		for line := range strings.Lines(string(f)) {
			lines = append(lines, strings.TrimSuffix(line, "\n")+"\n")
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(slices.Compact(lines), ""))
}

// modFiles reads the go.mod of the workload's module and the go.sum beside it.
func (s *side) modFiles() (*modfile.File, []byte, error) {
	root, _ := s.prog.Package()
	m := s.pkgs[root].Module
	if m == nil || m.GoMod == "" {
		return nil, nil, errors.New("reverting modules: the workload is in no module")
	}
	data, err := os.ReadFile(m.GoMod)
	if err != nil {
		return nil, nil, fmt.Errorf("reading go.mod: %w", err)
	}
	file, err := modfile.Parse(m.GoMod, data, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("parsing go.mod: %w", err)
	}
	sum, err := os.ReadFile(filepath.Join(filepath.Dir(m.GoMod), "go.sum"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("reading go.sum: %w", err)
	}
	return file, sum, nil
}
