package modules

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Config says whose dependencies are copied. All fields but Env are required.
type Config struct {
	Go       string   // the go command
	Env      []string // of go commands in Dir; nil is the process's own
	Dir      string   // where go runs: the module's directory or one below it
	ModCache string   // GOMODCACHE
	Cache    string   // directory where copies are kept for others and for later
	Out      string   // directory for the go.mod or go.work; made with the first copy
}

// Copies are the dependencies of one build that are built from copies. At first
// there are none. It is not safe for concurrent use; several Copies may have the
// same Cache.
type Copies struct {
	config Config
	file   *rootFile         // the go.mod or go.work; nil until something is copied
	copies map[string]string // directory of the copy, by that in the module cache
}

// New makes a Copies. Nothing happens on disk before Add.
func New(cfg Config) *Copies {
	return &Copies{config: cfg, copies: make(map[string]string)}
}

// Add sees to it that files of m can be overlaid: a module in the module cache
// is built from a copy from now on. For others, and for nil (the standard library),
// there is nothing to do.
func (c *Copies) Add(ctx context.Context, m *packages.Module) error {
	if m == nil || !c.Cached(m.Dir) || c.copies[m.Dir] != "" {
		return nil
	}
	if err := c.add(ctx, m); err != nil {
		return fmt.Errorf("copying %s@%s: %w", m.Path, m.Version, err)
	}
	return nil
}

func (c *Copies) add(ctx context.Context, m *packages.Module) error {
	file := c.file
	if file == nil {
		var err error
		if file, err = c.findRootFile(ctx); err != nil {
			return err
		}
	}
	dir, err := c.copyOf(ctx, m.Dir)
	if err != nil {
		return err
	}
	// Only this version: the requirements of others count as they did. A
	// replacement that is there already, with or without a version, is less
	// specific or gives way.
	if err := file.replace(m.Path, m.Version, dir); err != nil {
		return err
	}
	if err := file.write(c.config.Out); err != nil {
		return err
	}
	c.file, c.copies[m.Dir] = file, dir
	return nil
}

// Cached reports whether a file or directory lies in the module cache.
func (c *Copies) Cached(name string) bool { return beneath(name, c.config.ModCache) }

// ModFile is the value for -modfile, "" if the build needs none.
func (c *Copies) ModFile() string {
	if c.file == nil || c.file.workspace {
		return ""
	}
	return filepath.Join(c.config.Out, "go.mod")
}

// WorkFile is the value for GOWORK, "" if that is to stay as it is.
func (c *Copies) WorkFile() string {
	if c.file == nil || !c.file.workspace {
		return ""
	}
	return filepath.Join(c.config.Out, "go.work")
}

// Overlay gives the files with those of copied modules in the place that the
// build takes them from. They say where they are from, as all files of a copy do.
// A file in the module cache whose module wasn't added is an error.
func (c *Copies) Overlay(files map[string][]byte) (map[string][]byte, error) {
	out := maps.Clone(files)
	for name, data := range files {
		if !c.Cached(name) {
			continue
		}
		built := c.Built(name)
		if built == name {
			return nil, fmt.Errorf("overlaying %s: its module is not copied", name)
		}
		delete(out, name)
		out[built] = located(name, data)
	}
	return out, nil
}

// Built gives the file that is compiled for one of the module cache: the same,
// if its module isn't copied.
func (c *Copies) Built(name string) string {
	for dir, copied := range c.copies {
		if beneath(name, dir) {
			return copied + name[len(dir):]
		}
	}
	return name
}

// Source is the inverse of Built.
func (c *Copies) Source(name string) string {
	for dir, copied := range c.copies {
		if beneath(name, copied) {
			return dir + name[len(copied):]
		}
	}
	return name
}

// beneath reports whether name is dir or lies below it; both are absolute.
func beneath(name, dir string) bool {
	rest, ok := strings.CutPrefix(name, dir)
	return ok && dir != "" && (rest == "" || rest[0] == filepath.Separator)
}
