package revision

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/harness"
)

// Here is a package as it lies on disk, in the user's own files, for who shows code or
// writes an overlay for the user's go command. Of the spec, Package may be an import path
// too, of the standard library or a dependency. It can be loaded, not built; there is
// nothing to close but temp, a directory for what the go command leaves.
func Here(ctx context.Context, spec Spec, temp string) (*Revision, error) {
	spec.Unbuilt = true
	if err := spec.setDefaults(); err != nil {
		return nil, err
	}
	gocmd, err := harness.FindGo(ctx, spec.Dir)
	if err == nil {
		gocmd, err = gocmd.Within(temp)
	}
	if err != nil {
		return nil, err
	}
	dir, err := packageDir(ctx, gocmd, spec)
	if err != nil {
		return nil, err
	}
	tree := backup.Tree{Revision: backup.Revision{Name: backup.Worktree}, Dir: dir}
	return &Revision{Tree: tree, Label: spec.Package, PackageDir: dir, code: inPlace(spec, dir, gocmd), set: &work{}}, nil
}

// packageDir is the directory of a package, as the go command finds it.
func packageDir(ctx context.Context, gocmd *harness.Go, s Spec) (string, error) {
	cmd := exec.CommandContext(ctx, gocmd.Cmd, "list", "-find", "-tags="+s.Tags, "-f", "{{.Dir}}", "--", s.Package)
	cmd.Dir, cmd.Env = s.Dir, gocmd.Env
	if work, ok := os.LookupEnv("GOWORK"); ok {
		cmd.Env = append(slices.Clip(cmd.Env), "GOWORK="+work)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("finding package %s: %w\n%s", s.Package, err, strings.TrimSpace(stderr.String()))
	}
	dirs := slices.Collect(strings.SplitSeq(strings.TrimSpace(string(out)), "\n"))
	if len(dirs) != 1 {
		return "", fmt.Errorf("finding package %s: it names %d packages, give one", s.Package, len(dirs))
	}
	return dirs[0], nil
}
