package change

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// loadText loads a module that is written as an archive.
func loadText(t *testing.T, text string) *callgraph.Program {
	t.Helper()
	return load(t, unpack(t, txtar.Parse([]byte(text))))
}

func unpack(t *testing.T, ar *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range ar.Files {
		name := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t *testing.T, dir string) *callgraph.Program {
	t.Helper()
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
	p, err := callgraph.Load(t.Context(), callgraph.Config{Dir: dir, Package: ".", Tests: true, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
