package revert

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/pinpoint-go/pinpoint/change"
)

// ModulePlan is bad with other versions of its dependencies.
type ModulePlan struct {
	Mod, Sum []byte // of the file that -modfile names, and its .sum beside it
	Modules  []change.Module
}

// ComposeModules puts good's version of these dependencies into bad. A replace
// directive holds each where it is, since another module may require more.
// Neither a workspace nor a vendor directory can be built this way, as the go
// command has it.
func ComposeModules(c *change.Change, want []change.Module) (ModulePlan, error) {
	goodMod, goodSum, err := modFiles(c.Good)
	if err != nil {
		return ModulePlan{}, err
	}
	badMod, badSum, err := modFiles(c.Bad)
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
func pin(bad, good *modfile.File, m change.Module) error {
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
func modFiles(s *change.Side) (*modfile.File, []byte, error) {
	root, _ := s.Prog.Package()
	m := s.Packages[root].Module
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
