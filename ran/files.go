package ran

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/revision"
)

// OtherFiles names what the workload is made of, or may read, besides Go code, and that
// differs: files of other languages and embedded ones, the language version, and what
// lies beside the package, see [DataBeside]; "" for nothing.
func OtherFiles(ctx context.Context, set *revision.Set) (string, error) {
	sums, err := change.Both(set.Pair(), func(r *revision.Revision) (map[string]string, error) { return otherFiles(ctx, r) })
	if err != nil {
		return "", err
	}
	all := maps.Clone(sums.Good)
	maps.Copy(all, sums.Bad)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if sums.Good[name] != sums.Bad[name] {
			return name, nil
		}
	}
	return "", nil
}

// otherFiles are what they hold, in short, by name in the tree.
func otherFiles(ctx context.Context, r *revision.Revision) (map[string]string, error) {
	prog, err := r.Load(ctx)
	if err != nil {
		return nil, err
	}
	files, above, err := DataBeside(r.PackageDir)
	sums := make(map[string]string)
	if above { // and there may be anything
		sums["what lies above "+r.PackageDir] = r.Key
	}
	for _, pkg := range prog.Packages() {
		files = slices.Concat(files, pkg.OtherFiles, pkg.EmbedFiles)
		if m := pkg.Module; m != nil {
			sums["the language version of "+m.Path] = m.GoVersion
		}
	}
	for _, file := range files {
		name, inTree := r.InTree(file)
		if !inTree || err != nil {
			continue
		}
		var data []byte
		data, err = os.ReadFile(file)
		sums[name] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return sums, err
}

// DataBeside lists what a package's tests may read: all of testdata, and of what else
// lies in its directory and is no Go, files and directories that Go code there names.
// Whether that names what lies above the directory is said, too.
func DataBeside(dir string) (files []string, above bool, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, false, err
	}
	var code []byte
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".go" && e.Type().IsRegular() {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, false, err
			}
			code = append(code, data...)
		}
	}
	for _, e := range entries {
		if e.Name() != "testdata" && !names(code, e) {
			continue
		}
		err := filepath.WalkDir(filepath.Join(dir, e.Name()), func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, false, err
		}
	}
	return files, bytes.Contains(code, []byte(`"..`)), nil
}

// names says whether code may mean a file or directory beside it: there is its
// name, or a pattern for all of its kind.
func names(code []byte, e fs.DirEntry) bool {
	name, ext := e.Name(), filepath.Ext(e.Name())
	if e.IsDir() {
		return bytes.Contains(code, []byte(`"`+name+`"`)) || bytes.Contains(code, []byte(`"`+name+`/`)) || bytes.Contains(code, []byte(`"./`+name))
	}
	return ext != ".go" && (bytes.Contains(code, []byte(name)) || ext != "" && bytes.Contains(code, []byte("*"+ext)))
}
