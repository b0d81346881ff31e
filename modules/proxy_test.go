package modules_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
	"golang.org/x/tools/txtar"
)

// A world is a module proxy in a directory, a module cache that is filled from it,
// and trees that depend on what is there. Nothing else is reachable.
type world struct{ dir, modCache string }

func newWorld(t *testing.T, archive string) world {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
	}
	w := world{dir: dir, modCache: filepath.Join(dir, "modcache")}
	sources, err := filepath.Glob(filepath.Join(dir, "proxy", "example.com", "*@*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		w.publish(t, source)
	}
	if err := os.MkdirAll(filepath.Join(w.modCache, "example.com"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"GOPROXY": "file://" + filepath.ToSlash(filepath.Join(dir, "proxy")), "GOSUMDB": "off",
		"GOMODCACHE": w.modCache, "GOFLAGS": "-modcacherw", "GOENV": "off", "GOTOOLCHAIN": "local", "GOWORK": "",
	} {
		t.Setenv(name, value)
	}
	return w
}

// publish makes of a directory PATH@VERSION what a proxy serves.
func (w world) publish(t *testing.T, source string) {
	t.Helper()
	rel, err := filepath.Rel(filepath.Join(w.dir, "proxy"), source)
	if err != nil {
		t.Fatal(err)
	}
	escaped, version, _ := strings.Cut(filepath.ToSlash(rel), "@")
	path, err := module.UnescapePath(escaped)
	if err != nil {
		t.Fatal(err)
	}
	served := filepath.Join(w.dir, "proxy", filepath.FromSlash(escaped), "@v")
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		mod = []byte("module " + path + "\n")
	}
	write(t, filepath.Join(served, version+".mod"), mod)
	write(t, filepath.Join(served, version+".info"), []byte(`{"Version":"`+version+`"}`))
	file, err := os.Create(filepath.Join(served, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := zip.CreateFromDir(file, module.Version{Path: path, Version: version}, source); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// tree gives the directory of a tree, with what the go command wants beside its
// go.mod.
func (w world) tree(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(w.dir, "main", name)
	switch name {
	case "vendored":
		goCommand(t, dir, "mod", "tidy")
		goCommand(t, dir, "mod", "vendor")
	case "workspace":
		goCommand(t, filepath.Join(dir, "member"), "list", "-deps", "-test", "./...")
	default:
		goCommand(t, dir, "mod", "tidy")
	}
	return dir
}

func goCommand(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PWD="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// contents reads all files below dir.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
