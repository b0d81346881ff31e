package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// examples are the command lines that the manual, the README and the help texts
// show, without the word pinpoint.
func examples(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{manualText(), string(readme)}
	for _, c := range rootCommand(new(int), &tracing{}).Commands() {
		texts = append(texts, c.Long, c.Example)
	}
	shown := regexp.MustCompile(`(?m)^(?:[ \t]+|\$ )(?:go run \./cmd/)?pinpoint (.*)$`)
	var lines []string
	for _, text := range texts {
		for _, m := range shown.FindAllStringSubmatch(text, -1) {
			lines = append(lines, m[1])
		}
	}
	return lines
}

// words splits a line as a shell does where only single quotes are used.
func words(line string) []string {
	var list []string
	for i, quoted := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, quoted)
		} else {
			list = append(list, strings.Fields(quoted)...)
		}
	}
	return list
}

func TestExamplesParse(t *testing.T) {
	lines := examples(t)
	if len(lines) < 12 {
		t.Fatalf("only %d examples were found: %q", len(lines), lines)
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "--") {
			continue // the root's own flags are cobra's
		}
		cmd, args, err := rootCommand(new(int), &tracing{}).Find(words(line))
		if err == nil && !cmd.HasParent() {
			t.Errorf("pinpoint %s: no such command", line)
			continue
		}
		if err == nil {
			err = cmd.ParseFlags(args)
		}
		if err != nil {
			t.Errorf("pinpoint %s: %v", line, err)
		}
	}
}

// TestFlagsInProseExist looks for flags that the texts speak of and no command
// has.
func TestFlagsInProseExist(t *testing.T) {
	known := map[string]bool{"help": true}
	for _, c := range rootCommand(new(int), &tracing{}).Commands() {
		for _, name := range flagNames(c) {
			known[name] = true
		}
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("--([a-z][-a-z]*)").FindAllStringSubmatch(manual+string(readme), -1) {
		if !known[m[1]] {
			t.Errorf("no command has --%s", m[1])
		}
	}
}

// flagNames takes the names from the usage text: that lists what the user sees.
func flagNames(c *cobra.Command) []string {
	var names []string
	for _, m := range regexp.MustCompile("--([a-z][-a-z]*)").FindAllStringSubmatch(c.UsageString(), -1) {
		names = append(names, m[1])
	}
	return names
}

// ownMeaning are the flags that mean something else in some commands.
var ownMeaning = map[string]bool{
	"aggregate": true, "all": true, "bad": true, "bench": true, "cpu": true, "depth": true, "dry-run": true, "func": true, "help": true,
	"json": true, "measure": true, "out": true, "pkg": true, "rev": true, "test": true,
}

// TestFlagsSayTheSame holds the help texts of flags of one name against each other.
func TestFlagsSayTheSame(t *testing.T) {
	usage := map[string]string{}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if first, ok := usage[f.Name]; ok && first != f.Usage && !ownMeaning[f.Name] {
				t.Errorf("%s: --%s is %q, elsewhere %q", c.CommandPath(), f.Name, f.Usage, first)
			}
			usage[f.Name] = f.Usage
		})
		for _, sub := range c.Commands() {
			look(sub)
		}
	}
	look(rootCommand(new(int), &tracing{}))
	if len(usage) < 50 {
		t.Errorf("only %d flags were found", len(usage))
	}
}
