package revision

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
)

// workspace has a module that only a go.work above it completes.
const workspace = `
-- go.work --
go 1.21

use (
	./a
	./b
)
-- a/go.mod --
module example.com/a

go 1.21
-- a/a.go --
package a

import "example.com/b"

func A() int { return b.B() }
-- a/a_test.go --
package a

func broken( {}
-- b/go.mod --
module example.com/b

go 1.21
-- b/b.go --
package b

func B() int { return 1 }
`

func TestHere(t *testing.T) {
	t.Parallel()
	dir, temp := t.TempDir(), t.TempDir()
	unpack(t, dir, workspace)
	plain := harness.Workload{Kind: harness.Main}
	for _, test := range []struct{ pkg, function, dir string }{
		{"./a", "A", filepath.Join(dir, "a")},
		{"example.com/b", "B", filepath.Join(dir, "b")},
		{"sort", "Ints", ""},
	} {
		r, err := Here(t.Context(), Spec{Dir: dir, Package: test.pkg, Workload: plain}, temp)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(r.Go().Env, "GOTMPDIR="+filepath.Join(temp, "go")) {
			t.Errorf("what the go command leaves lies where %q say", r.Go().Env)
		}
		if test.dir != "" && r.PackageDir != test.dir {
			t.Errorf("%s is in %s, want %s", test.pkg, r.PackageDir, test.dir)
		}
		prog, err := r.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		fn, err := prog.Func(test.function)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Source(fn); err != nil {
			t.Error(err)
		}
		if _, err := r.Build(t.Context(), Build{}); !errors.Is(err, errUnbuilt) {
			t.Errorf("building it: %v", err)
		}
	}
}
