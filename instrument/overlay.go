package instrument

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// An Overlay is files that the go command shall see in place of, or besides,
// those on disk.
type Overlay struct {
	Files map[string][]byte // by absolute path
}

// Add takes files over. One file can't be replaced twice.
func (o *Overlay) Add(files map[string][]byte) error {
	if o.Files == nil {
		o.Files = make(map[string][]byte)
	}
	for name, data := range files {
		if !filepath.IsAbs(name) {
			return fmt.Errorf("adding %s to an overlay: not an absolute path", name)
		}
		if _, ok := o.Files[name]; ok {
			return fmt.Errorf("adding %s to an overlay: it is there already", name)
		}
		o.Files[name] = data
	}
	return nil
}

// Write writes the files and overlay.json to a directory, which it makes if
// necessary, and returns the absolute path of overlay.json, for go build
// -overlay. The files keep their base names, which error messages may quote,
// behind a number.
func (o *Overlay) Write(dir string) (jsonPath string, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("writing overlay: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("writing overlay: %w", err)
	}
	replace := make(map[string]string)
	for i, name := range slices.Sorted(maps.Keys(o.Files)) {
		file := filepath.Join(dir, fmt.Sprintf("%03d_%s", i, filepath.Base(name)))
		if err := writeAged(file, o.Files[name]); err != nil {
			return "", fmt.Errorf("writing overlay: %w", err)
		}
		replace[name] = file
	}
	data, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", fmt.Errorf("writing overlay: %w", err)
	}
	jsonPath = filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(jsonPath, append(data, '\n'), 0o666); err != nil {
		return "", fmt.Errorf("writing overlay: %w", err)
	}
	return jsonPath, nil
}

// writeAged writes a file that seems ten years old. The go command doesn't index
// packages with files younger than two seconds, as all are when the clock is set back
// by more than their age, and up to Go 1.24 only its index sees packages that an overlay
// adds to the standard library. It knows contents by times, so that no two have the same.
func writeAged(name string, data []byte) error {
	if err := os.WriteFile(name, data, 0o666); err != nil {
		return err
	}
	aged := time.Now().AddDate(-10, 0, 0)
	return os.Chtimes(name, aged, aged)
}

// AddRuntime adds what probed code needs to build, beneath the GOROOT that it
// will be built with.
func (o *Overlay) AddRuntime(goroot string) error { return o.AddMeter(goroot, MeterTime) }

// AddMeter is AddRuntime for probes whose clock counts something else than time.
func (o *Overlay) AddMeter(goroot string, m Meter) error {
	files, err := runtimeFiles(goroot, m)
	if err != nil {
		return err
	}
	return o.Add(files)
}
