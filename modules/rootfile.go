package modules

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// rootFile is the file that says which modules a build is made of, as it is in
// the tree, and what becomes of it.
type rootFile struct {
	workspace bool
	mod       *modfile.File     // unless workspace
	work      *modfile.WorkFile // if workspace
	sum       []byte            // of the go.sum or go.work.sum beside it
}

// findRootFile reads the go.mod or go.work that governs the build.
func (c *Copies) findRootFile(ctx context.Context) (*rootFile, error) {
	var where struct{ GOMOD, GOWORK string }
	cmd := exec.CommandContext(ctx, c.config.Go, "env", "-json", "GOMOD", "GOWORK")
	cmd.Dir, cmd.Env = c.config.Dir, c.config.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &where)
	}
	if err != nil {
		return nil, fmt.Errorf("finding the go.mod: %w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	switch {
	case where.GOWORK != "" && where.GOWORK != "off":
		return readWork(where.GOWORK)
	case where.GOMOD == "" || where.GOMOD == os.DevNull:
		return nil, errors.New("the build is in no module")
	}
	return readMod(where.GOMOD)
}

func readMod(name string) (*rootFile, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	// Relative paths in it stay as they are: the go command takes them from
	// the directory of the module, not from that of the -modfile.
	mod, err := modfile.Parse(name, data, asWritten)
	if err != nil {
		return nil, err
	}
	sum, err := readIfThere(filepath.Join(filepath.Dir(name), "go.sum"))
	return &rootFile{mod: mod, sum: sum}, err
}

func readWork(name string) (*rootFile, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(name, data, asWritten)
	if err != nil {
		return nil, err
	}
	if err := absolute(work, filepath.Dir(name)); err != nil {
		return nil, err
	}
	sum, err := readIfThere(name + ".sum")
	return &rootFile{workspace: true, work: work, sum: sum}, err
}

// absolute frees a workspace from the directory that its file lies in.
func absolute(work *modfile.WorkFile, dir string) error {
	var members []string
	for _, use := range work.Use {
		members = append(members, use.Path)
	}
	for _, path := range members {
		if filepath.IsAbs(path) {
			continue
		}
		if err := work.DropUse(path); err != nil {
			return err
		}
		if err := work.AddUse(filepath.Join(dir, path), ""); err != nil {
			return err
		}
	}
	for _, r := range work.Replace {
		if r.New.Version == "" && !filepath.IsAbs(r.New.Path) {
			if err := work.AddReplace(r.Old.Path, r.Old.Version, filepath.Join(dir, r.New.Path), ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// asWritten accepts versions that the go command would first look up.
func asWritten(_, version string) (string, error) { return version, nil }

func (f *rootFile) replace(path, version, dir string) error {
	if f.workspace {
		return f.work.AddReplace(path, version, dir, "")
	}
	return f.mod.AddReplace(path, version, dir, "")
}

// write puts the file, with the sums beside it, into dir.
func (f *rootFile) write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name, sum := "go.mod", "go.sum"
	var data []byte
	if f.workspace {
		name, sum = "go.work", "go.work.sum"
		f.work.Cleanup()
		data = modfile.Format(f.work.Syntax)
	} else {
		f.mod.Cleanup()
		data = modfile.Format(f.mod.Syntax)
	}
	if f.sum != nil {
		if err := os.WriteFile(filepath.Join(dir, sum), f.sum, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, name), data, 0o666)
}

func readIfThere(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}
