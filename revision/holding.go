package revision

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
)

// Holding are the packages that a pattern of the go command stands for, such as ./...,
// and that declare what the workload names: their directories relative to r's.
func (r *Revision) Holding(ctx context.Context, pattern string, w harness.Workload) (dirs []string, err error) {
	out, err := r.List(ctx, "-e", "-json=Dir,TestGoFiles,XTestGoFiles", "--", pattern)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir                       string
			TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return dirs, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading the list of packages: %w", err)
		}
		rel, err := filepath.Rel(r.PackageDir, p.Dir)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		var files []string
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			files = append(files, filepath.Join(p.Dir, name))
		}
		found, err := declaringOf(files, w)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			dirs = append(dirs, "./"+filepath.ToSlash(rel))
		}
	}
}
