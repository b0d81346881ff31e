package revision

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Profile names the profile that the compiler goes by, and is off or "" if it goes by
// none: that of the spec or of GOFLAGS, or default.pgo beside the program that is built,
// which is named as in the tree. The revision must be loaded.
func (r *Revision) Profile() string {
	name := r.ProfileFile()
	if rel, ok := r.InTree(name); ok {
		return rel
	}
	return name
}

// ProfileFile is the same by its name on this machine.
func (r *Revision) ProfileFile() string {
	if r.code.spec.PGO != "" {
		return r.code.spec.PGO
	}
	flag := slices.IndexFunc(r.code.gocmd.Flags, func(flag string) bool { return strings.HasPrefix(strings.TrimLeft(flag, "-"), "pgo=") })
	if flag >= 0 {
		if _, value, _ := strings.Cut(r.code.gocmd.Flags[flag], "="); value != "auto" {
			return value
		}
	}
	prog := *r.code.program.known()
	root, dir := prog.Package()
	for _, pkg := range prog.Packages() {
		if name := filepath.Join(dir, "default.pgo"); pkg.PkgPath == root && pkg.Name == "main" && isFile(name) {
			return name
		}
	}
	return ""
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// SameProfile says whether the compiler goes by the same profile on both sides of a pair.
// Both must be loaded.
func (s *Set) SameProfile() bool {
	good, bad := s.Pair().Good.ProfileFile(), s.Pair().Bad.ProfileFile()
	if good == bad || good == "" || bad == "" {
		return good == bad
	}
	a, errA := os.ReadFile(good)
	b, errB := os.ReadFile(bad)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// SameCompiler says whether what a pair is compiled by is the same, too. Both must be loaded.
func (s *Set) SameCompiler() bool {
	p := s.Pair()
	return s.SameProfile() && p.Good.Go().Version == p.Bad.Go().Version
}

// Compilers tells a reader what a pair is compiled by, where that is not the usual: by
// profiles, or by two toolchains. Both must be loaded.
func (s *Set) Compilers() (notes []string) {
	p := s.Pair()
	good, bad := p.Good.Profile(), p.Bad.Profile()
	switch {
	case good == "" && bad == "":
	case s.SameProfile():
		notes = append(notes, "both sides are compiled with -pgo="+bad)
	default:
		notes = append(notes, fmt.Sprintf("each side is compiled by its own profile, and they differ: good by %s, bad by %s", cmp.Or(good, "none"), cmp.Or(bad, "none")))
	}
	if good, bad := p.Good.Go().Version, p.Bad.Go().Version; good != bad {
		notes = append(notes, fmt.Sprintf("good is built by %s and bad by %s: what differs in the standard library and the compiler is part of the difference", good, bad))
	}
	return notes
}
