package workload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// pkg is a package that has tests or benchmarks.
type pkg struct {
	path  string          // import path
	dir   string          // relative to Options.Dir, with slashes
	links map[string]bool // what its test binary is made of, by import path
}

// listed is what "go list" says of one package.
type listed struct {
	ImportPath, Dir, Name, ForTest               string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	Deps                                         []string
}

const listFields = "-json=ImportPath,Dir,Name,ForTest,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Deps"

// list finds the packages of the tree, and those of them with tests that are asked for.
func (s *Search) list(ctx context.Context) error {
	patterns := s.opts.Packages
	if len(patterns) == 0 {
		modules, err := s.modules(ctx)
		if err != nil {
			return err
		}
		for _, dir := range modules {
			patterns = append(patterns, dir+"/...")
		}
	}
	all, err := s.goList(ctx, append([]string{"-e", "-deps", "-test", listFields, "--"}, patterns...)...)
	if err != nil {
		return err
	}
	binaries := make(map[string][]string) // what they link
	for _, p := range all {
		if path, ok := strings.CutSuffix(p.ImportPath, ".test"); ok && p.Name == "main" {
			binaries[path] = p.Deps
		}
	}
	for _, p := range all {
		if rel, err := filepath.Rel(s.rev.Dir, p.Dir); err != nil || !filepath.IsLocal(rel) || p.ForTest != "" || p.Name == "main" && strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		s.code = append(s.code, p)
		if links, ok := binaries[p.ImportPath]; ok && len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			dir, err := s.Below(p.Dir)
			if err != nil {
				return err
			}
			t := &pkg{path: p.ImportPath, dir: dir, links: map[string]bool{p.ImportPath: true}}
			for _, path := range links {
				path, _, _ = strings.Cut(path, " [") // a variant for the test
				t.links[path] = true
			}
			s.packages = append(s.packages, t)
		}
	}
	s.patterns = patterns
	return nil
}

// modules are the directories of the main modules that lie in the tree: several in a
// workspace.
func (s *Search) modules(ctx context.Context) ([]string, error) {
	out, err := s.rev.List(ctx, "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	var dirs []string
	for dir := range strings.Lines(string(out)) {
		dir = strings.TrimSpace(dir)
		if rel, err := filepath.Rel(s.rev.Dir, dir); err == nil && filepath.IsLocal(rel) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	if len(dirs) == 0 {
		return nil, fmt.Errorf("%s has no module at %s: give a directory of one with -C", s.opts.Rev, s.opts.Dir)
	}
	return dirs, nil
}

func (s *Search) goList(ctx context.Context, args ...string) ([]listed, error) {
	out, err := s.rev.List(ctx, args...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading the list of packages: %w", err)
		}
		all = append(all, p)
	}
}
