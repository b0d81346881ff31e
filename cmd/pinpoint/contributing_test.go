package main

import (
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestContributing looks for what CONTRIBUTING.md names: files and directories, tests,
// scripts and packages. It is to be read at one go.
func TestContributing(t *testing.T) {
	top := filepath.Join("..", "..")
	data, err := os.ReadFile(filepath.Join(top, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(data), "\n"); lines > 120 {
		t.Errorf("%d lines, may have 120", lines)
	}
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(top, name))
		return err == nil
	}
	tests := namesOfTests(t, top)
	found := 0
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(data), -1) {
		for i, word := range strings.Fields(m[1]) {
			word = strings.Trim(word, "'")
			switch {
			case regexp.MustCompile(`^Test\w+$`).MatchString(word):
				if !tests[word] {
					t.Errorf("%s: there is no test %s", m[1], word)
				}
			case word == "./..." || strings.ContainsAny(word, "*$…"):
			case i == 0 && regexp.MustCompile(`^\.?\w+(/[\w.]+)*/?$`).MatchString(word) && strings.Contains(word, "/"),
				strings.HasPrefix(word, "./"):
				found++
				if !exists(word) {
					t.Errorf("%s: there is no %s", m[1], word)
				}
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d files were found", found)
	}
}

// TestPicture holds the picture of the house against the packages: all are in it, and
// what they import is beside or below them.
func TestPicture(t *testing.T) {
	const module = "github.com/pinpoint-go/pinpoint/"
	top := filepath.Join("..", "..")
	data, err := os.ReadFile(filepath.Join(top, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	floors := make(map[string]int) // counted from the roof
	picture := strings.Split(string(data), "```")[1]
	for i, line := range strings.Split(strings.TrimSpace(picture), "\n") {
		_, packages, _ := strings.Cut(line, "  ")
		for _, name := range strings.Fields(regexp.MustCompile(`\([^)]*\)|─`).ReplaceAllString(packages, " ")) {
			floors[name] = i
			if _, err := os.Stat(filepath.Join(top, name)); err != nil {
				t.Errorf("the picture has %s, which is not there", name)
			}
		}
	}
	floor := func(pkg string) int {
		for ; pkg != "."; pkg = path.Dir(pkg) {
			if i, ok := floors[pkg]; ok {
				return i
			}
		}
		return -1
	}
	checked := 0
	sources, err := filepath.Glob(filepath.Join(top, "*", "*.go"))
	below, err2 := filepath.Glob(filepath.Join(top, "*", "*", "*.go"))
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(sources, below...) {
		rel, err := filepath.Rel(top, name)
		if err != nil {
			t.Fatal(err)
		}
		pkg := path.Dir(filepath.ToSlash(rel))
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(pkg, "examples") || strings.Contains(pkg, "testdata") {
			continue
		}
		at := floor(pkg)
		if at < 0 {
			t.Errorf("package %s is not in the picture", pkg)
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range file.Imports {
			if ours, ok := strings.CutPrefix(strings.Trim(imported.Path.Value, `"`), module); ok {
				checked++
				if floor(ours) < at {
					t.Errorf("%s imports %s, which is above it", rel, ours)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d imports were found", checked)
	}
}

// namesOfTests are those of the functions of all tests.
func namesOfTests(t *testing.T, top string) map[string]bool {
	names := make(map[string]bool)
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		for _, m := range function.FindAllSubmatch(data, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
