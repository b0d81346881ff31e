package instrument

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed probe/*.go probe/*.s
var runtimeSource embed.FS

//go:embed hook/hook.go.txt
var hookSource []byte

// runtimeFiles returns the files that an overlay must put beneath goroot for
// probed code to build and benchmarks to be recorded, by absolute path: the
// package that probed code imports as ProbePackage, and package testing's
// benchmark.go with its hooks.
func runtimeFiles(goroot string, m Meter) (map[string][]byte, error) {
	files := make(map[string][]byte)
	dir := filepath.Join(goroot, "src", filepath.FromSlash(ProbePackage))
	if err := addProbePackage(files, dir); err != nil {
		return nil, err
	}
	if err := metered(files, dir, m); err != nil {
		return nil, err
	}
	testing := filepath.Join(goroot, "src", "testing")
	benchmark := filepath.Join(testing, "benchmark.go")
	src, err := os.ReadFile(benchmark)
	if err != nil {
		return nil, fmt.Errorf("reading package testing: %w", err)
	}
	if files[benchmark], err = TestingHook(src); err != nil {
		return nil, err
	}
	files[filepath.Join(testing, "pinpoint.go")] = hookSource
	return files, nil
}

// addProbePackage adds the probe runtime as the package in dir. The directory
// must exist, for the assembler is run in it, and have no Go files of its own.
func addProbePackage(files map[string][]byte, dir string) error {
	if own, err := filepath.Glob(filepath.Join(dir, "*.go")); err != nil || len(own) > 0 {
		return fmt.Errorf("placing the probe runtime: %s holds Go files of its own", dir)
	}
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("placing the probe runtime: %w", err)
	}
	entries, err := runtimeSource.ReadDir("probe")
	if err != nil {
		return fmt.Errorf("reading the probe runtime: %w", err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		src, err := runtimeSource.ReadFile("probe/" + e.Name())
		if err != nil {
			return fmt.Errorf("reading the probe runtime: %w", err)
		}
		files[filepath.Join(dir, e.Name())] = src
	}
	return nil
}
