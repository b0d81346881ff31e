package harness

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Side is one revision as the go command sees it.
type Side struct {
	Label    string            // good or bad
	Dir      string            // where go runs: the module's directory in the private tree
	Top      string            // the private tree's top; a go.work above it is not the tree's. Empty: Dir
	Hidden   []string          // directories that no process of it sees in a sandbox
	Package  string            // the workload's package, as a pattern that names one
	Overlay  map[string][]byte // files replaced or added, by absolute path
	Tags     string            // the value of -tags
	GCFlags  []string          // values of -gcflags, each IMPORTPATH=FLAGS
	ModFile  string            // the value of -modfile
	WorkFile string            // a private go.work in place of the tree's
	PGO      string            // the value of -pgo; "": what the main package's directory says
	// Layout is a seed of the order in which the linker places functions, since
	// Go 1.22; 0 is the order that it has by itself. Only linking depends on it.
	Layout uint64
	// Listing keeps what was learned of the package by the first build, for those that
	// follow: no overlay makes another package of it. nil: each build asks the go command,
	// which took 0.15 s of a relink's 0.9 s.
	Listing *Listing
}

// Env is the environment of a go command on this side: the user's own, with
// the chosen toolchain and GOWORK as the tree has it. The user's GOWORK would
// name files of the checkout, which is not what is built; only "off" holds here too. A
// go.work that does not list the module is none.
func (s Side) Env(g *Go) []string {
	return append(slices.Clip(g.Env), "PWD="+s.Dir, "GOWORK="+s.workspace())
}

// EnvByPath is Env for a program that runs go as PATH has it: that one switches to the
// toolchain, which it finds by its name in the PATH given here. With another GOROOT alone
// it would run the compiler of the one and list for the other.
func (s Side) EnvByPath(g *Go) []string {
	env := s.Env(g)
	if g.byName == "" {
		return env
	}
	return append(env, "GOTOOLCHAIN="+g.Version, "PATH="+g.byName+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func (s Side) workspace() string {
	if s.WorkFile != "" {
		return s.WorkFile
	}
	if os.Getenv("GOWORK") == "off" {
		return "off"
	}
	top := s.top()
	for dir := s.Dir; ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, "go.work")
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			if !uses(file, s.Dir, top) {
				return "off"
			}
			return file
		}
		if dir == top || dir == filepath.Dir(dir) {
			return "off"
		}
	}
}

// uses says whether a workspace is of the module that a directory lies in. The go command
// does nothing in one that it lists none of; without the workspace that is a module like
// another.
func uses(work, dir, top string) bool {
	for info, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil || info.IsDir(); info, err = os.Stat(filepath.Join(dir, "go.mod")) {
		if dir == top || dir == filepath.Dir(dir) {
			return true // of no module, as the top of a workspace may be
		}
		dir = filepath.Dir(dir)
	}
	data, err := os.ReadFile(work)
	if err != nil {
		return true
	}
	file, err := modfile.ParseWork(work, data, nil)
	if err != nil {
		return true // the go command will say so
	}
	return slices.ContainsFunc(file.Use, func(u *modfile.Use) bool {
		used := filepath.FromSlash(u.Path)
		if !filepath.IsAbs(used) {
			used = filepath.Join(filepath.Dir(work), used)
		}
		return used == dir
	})
}

func (s Side) top() string { return cmp.Or(s.Top, s.Dir) }

// BuildFlags are the flags of the side for any go command that takes build
// flags, with overlay the name of the overlay's JSON file ("" for none).
func (s Side) BuildFlags(overlay string) []string {
	var flags []string
	if overlay != "" {
		flags = append(flags, "-overlay="+overlay)
	}
	if s.Tags != "" {
		flags = append(flags, "-tags="+s.Tags)
	}
	if s.ModFile != "" {
		flags = append(flags, "-modfile="+s.ModFile)
	}
	if s.PGO != "" {
		flags = append(flags, "-pgo="+s.PGO)
	}
	for _, f := range s.GCFlags {
		flags = append(flags, "-gcflags="+f)
	}
	return flags
}

// withGCFlag is s with one more compiler flag for each of pkgs. The go
// command takes the last -gcflags that matches a package, not all of them, so the
// flags that a package has already are said again.
func (s Side) withGCFlag(flag string, pkgs []string) Side {
	s.GCFlags = slices.Clone(s.GCFlags)
	for _, pkg := range pkgs {
		have := ""
		for _, f := range s.GCFlags {
			if rest, ok := strings.CutPrefix(f, pkg+"="); ok {
				have = rest + " "
			}
		}
		s.GCFlags = append(s.GCFlags, pkg+"="+have+flag)
	}
	return s
}
