package harness

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"strings"
)

// ReadDriver reads a driver: a test file that brings a workload to a package that
// lacks it. It must have a test file's name and parse.
func ReadDriver(name string) ([]byte, error) {
	if !strings.HasSuffix(name, "_test.go") {
		return nil, fmt.Errorf("--driver %s: a driver is a test file, its name ends in _test.go", name)
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--driver: %w", err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), name, content, parser.SkipObjectResolution); err != nil {
		return nil, fmt.Errorf("--driver: %w", err)
	}
	return content, nil
}
