package callgraph

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// overlay is the Replace table of the go command's -overlay files: where the
// contents of a file really are. The go command applies it when it lists
// packages, but names the replaced files, so whoever reads them needs it too.
type overlay map[string]string

func readOverlay(dir string, flags []string) (overlay, error) {
	name := overlayFlag(flags)
	if name == "" {
		return nil, nil
	}
	data, err := os.ReadFile(inDir(dir, name))
	if err != nil {
		return nil, fmt.Errorf("reading overlay: %w", err)
	}
	var table struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &table); err != nil {
		return nil, fmt.Errorf("parsing overlay %s: %w", name, err)
	}
	o := make(overlay)
	for from, to := range table.Replace {
		if to != "" { // an empty name deletes the file: it won't be listed
			o[inDir(dir, from)] = inDir(dir, to)
		}
	}
	return o, nil
}

// overlayFlag gives the operand of the last -overlay, in any of the four
// spellings that package flag takes.
func overlayFlag(flags []string) (name string) {
	for i, flag := range flags {
		flag = strings.TrimPrefix(flag, "-")
		flag = strings.TrimPrefix(flag, "-")
		if flag == "overlay" && i+1 < len(flags) {
			name = flags[i+1]
		} else if rest, ok := strings.CutPrefix(flag, "overlay="); ok {
			name = rest
		}
	}
	return name
}

func inDir(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}
