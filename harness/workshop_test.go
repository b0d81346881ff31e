package harness

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What the go command leaves lies below out, and the toolchain itself is not changed.
func TestWorkshop(t *testing.T) {
	g := &Go{Root: "/usr/local/go", ModCache: "/u/go/pkg/mod", Env: []string{"A=1"}}
	out := t.TempDir()
	own, err := g.Workshop(t.Context(), t.TempDir(), out)
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(out, "go")
	if st, err := os.Stat(work); err != nil || !st.IsDir() {
		t.Errorf("no directory for builds: %v", err)
	}
	if want := []string{"A=1", "GOTMPDIR=" + work}; !slices.Equal(own.Env, want) || own.Root != g.Root {
		t.Errorf("environment %q of %s, want %q", own.Env, own.Root, want)
	}
	if !slices.Equal(g.Env, []string{"A=1"}) {
		t.Errorf("the user's environment became %q", g.Env)
	}
}

// Who runs go by PATH switches to the toolchain by its name.
func TestEnvByPath(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	g, err := (&Go{Cmd: "/elsewhere/bin/go", Root: "/elsewhere", Version: "go1.25.4"}).Workshop(t.Context(), t.TempDir(), out)
	if err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(out, "go", "named")
	if to, err := os.Readlink(filepath.Join(named, "go1.25.4")); err != nil || to != g.Cmd {
		t.Errorf("its name leads to %q, %v", to, err)
	}
	env := lastWins(Side{Dir: "/m"}.EnvByPath(g))
	if want := "PATH=" + named + string(os.PathListSeparator) + os.Getenv("PATH"); !slices.Contains(env, want) || !slices.Contains(env, "GOTOOLCHAIN=go1.25.4") {
		t.Errorf("the environment is %v", env)
	}
}
