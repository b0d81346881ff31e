package suite

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/ran"
)

// sources are what a test binary is made of and may read: contents by name.
// Code is what ReachPrint knows how to tell apart; the others concern all
// benchmarks.
type sources struct{ code, others map[string]string }

// sourcesOf lists the files below top that the package's test binary is made of,
// the versions of its modules, and the files that lie beside its tests.
func sourcesOf(l *listed, top string) (sources, error) {
	s := sources{make(map[string]string), make(map[string]string)}
	add := func(to map[string]string, dir string, lists ...[]string) error {
		for _, name := range slices.Concat(lists...) {
			file := name
			if !filepath.IsAbs(file) {
				file = filepath.Join(dir, name)
			}
			rel, err := filepath.Rel(top, file)
			if err != nil || !filepath.IsLocal(rel) {
				continue // made by the go command
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			to[filepath.ToSlash(rel)] = string(hash(data))
		}
		return nil
	}
	paths := l.deps[l.ImportPath+".test"].Deps
	for _, path := range append(slices.Clone(paths), l.ImportPath) {
		d := l.deps[path]
		if d == nil || d.Standard {
			continue
		}
		if rel, err := filepath.Rel(top, d.Dir); err != nil || !filepath.IsLocal(rel) {
			m := d.Module
			if m != nil && m.Replace != nil {
				m = m.Replace
			}
			if m != nil {
				s.code["module "+m.Path] = m.Version
			}
			continue
		}
		code := s.code
		if m := d.Module; m != nil {
			s.others["the language version of "+m.Path] = m.GoVersion
			if !m.Main && (m.Replace == nil || m.Replace.Version != "") {
				code = s.others // vendored: not loaded, its version stands for it
			}
		}
		err := errors.Join(
			add(code, d.Dir, d.GoFiles, d.CgoFiles, d.SFiles),
			add(s.others, d.Dir, d.CFiles, d.CXXFiles, d.MFiles, d.HFiles, d.FFiles, d.SwigFiles, d.SwigCXXFiles, d.SysoFiles, d.EmbedFiles),
		)
		if err != nil {
			return s, err
		}
	}
	data, _, err := ran.DataBeside(l.Dir)
	return s, errors.Join(err,
		add(s.code, l.Dir, l.TestGoFiles, l.XTestGoFiles),
		add(s.others, l.Dir, l.TestEmbedFiles, l.XTestEmbedFiles, data))
}

func hash(data []byte) []byte { h := sha256.Sum256(data); return h[:] }

// difference is what the test binaries of two revisions are made of differently.
type difference struct {
	all  string   // why every benchmark is concerned; "" if only some may be
	code []string // names that differ
}

func (p *pkg) difference(goodTop, badTop string) (difference, error) {
	good, err := sourcesOf(p.good, goodTop)
	if err != nil {
		return difference{}, err
	}
	bad, err := sourcesOf(p.bad, badTop)
	if err != nil {
		return difference{}, err
	}
	d := difference{code: differing(good.code, bad.code)}
	if others := differing(good.others, bad.others); len(others) > 0 {
		d.all = list(others) + " changed"
	}
	return d, nil
}

// differing lists the keys whose values are not the same in both, or that only
// one has.
func differing(a, b map[string]string) []string {
	names := make(map[string]bool)
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			names[k] = true
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			names[k] = true
		}
	}
	return sortedKeys(names)
}

// list names the first of several.
func list(names []string) string {
	return text.Join(names, ", ", 1)
}
