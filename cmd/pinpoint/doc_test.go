package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pages are README.md and those of docs, by their paths from the top.
func pages(t *testing.T) map[string]string {
	t.Helper()
	texts, err := readPages()
	if err != nil || len(texts) < 9 {
		t.Fatalf("%d pages, %v", len(texts), err)
	}
	return texts
}

func readPages() (map[string]string, error) {
	top := filepath.Join("..", "..")
	names, err := filepath.Glob(filepath.Join(top, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	texts := make(map[string]string)
	for _, name := range append(names, filepath.Join(top, "README.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		name, _ = filepath.Rel(top, name)
		texts[name] = string(text)
	}
	return texts, nil
}

// examples are the command lines that the manual, the pages and the help texts
// show, without the word pinpoint.
func examples(texts map[string]string) []string {
	all := slices.AppendSeq([]string{manualText()}, maps.Values(texts))
	for _, c := range rootCommand(new(int), &tracing{}).Commands() {
		if c.Name() == "completion" { // cobra's
			continue
		}
		for _, c := range append(c.Commands(), c) {
			all = append(all, c.Long, c.Example)
		}
	}
	shown := regexp.MustCompile(`(?m)^(?:[ \t]+|\$ )(?:go run \./cmd/)?pinpoint (.*)$`)
	var lines []string
	for _, text := range all {
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
	lines := examples(pages(t))
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
		for _, c := range append(c.Commands(), c) {
			for _, name := range flagNames(c) {
				known[name] = true
			}
		}
	}
	flag := regexp.MustCompile("--([a-z][-a-z]*)")
	for name, text := range pages(t) {
		if name == "docs/ancestors.md" { // where the first column is theirs
			text = regexp.MustCompile(`(?m)^\| [^|]* \|`).ReplaceAllString(text, "")
		}
		for _, m := range flag.FindAllStringSubmatch(manual+text, -1) {
			if !known[m[1]] {
				t.Errorf("%s: no command has --%s", name, m[1])
			}
		}
	}
}

// TestPagesHold looks for what the pages link to, and for what other commands that they
// show are of: packages, scripts and tests. Which options pinpoint takes, TestExamplesParse
// knows.
func TestPagesHold(t *testing.T) {
	top := filepath.Join("..", "..")
	link, line := regexp.MustCompile(`\]\(([^):#]+)\)`), regexp.MustCompile(`(?m)^\t(.*)$`)
	for name, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(top, filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
		if n := strings.Count(text, "\n"); n > 250 {
			t.Errorf("%s: %d lines, may have 250", name, n)
		}
		for _, m := range line.FindAllStringSubmatch(text, -1) {
			if err := otherCommand(top, words(m[1])); err != nil {
				t.Errorf("%s: %s: %v", name, m[1], err)
			}
		}
	}
}

// otherCommand says why a command line can't be, as far as can be told without running it.
func otherCommand(top string, words []string) error {
	switch command := words[0]; {
	case command == "pinpoint", command == "benchstat", strings.HasPrefix(command, "b."):
		return nil
	case strings.HasPrefix(command, "scripts/"):
		_, err := os.Stat(filepath.Join(top, command))
		return err
	case command == "git" && words[1] == "bisect":
		if words[2] != "run" {
			return nil
		}
		cmd, _, err := rootCommand(new(int), &tracing{}).Find([]string{"bisect-step"})
		if err != nil {
			return err
		}
		return cmd.ParseFlags(words[4:])
	case command == "go" && slices.Contains([]string{"run", "test", "install", "tool"}, words[1]):
		for _, w := range words[2:] {
			if w == "./codec" { // the reader's
				return nil
			}
			w = strings.TrimSuffix(w, "...")
			if _, err := os.Stat(filepath.Join(top, w)); strings.HasPrefix(w, "./") && err != nil {
				return err
			}
		}
		return nil
	}
	return errors.New("no test knows this command")
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
	"json": true, "measure": true, "out": true, "param": true, "pkg": true, "resume": true, "rev": true, "sandbox": true, "test": true,
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

// TestHelpFits holds the help of every command against a terminal of 80 columns. Command
// lines are of one piece, to be copied.
func TestHelpFits(t *testing.T) {
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		if c.Name() == "completion" { // cobra's
			return
		}
		var b strings.Builder
		c.SetOut(&b)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if len([]rune(strings.TrimSuffix(line, "\n"))) > 80 && !strings.HasPrefix(strings.TrimLeft(line, " \t"), "pinpoint ") {
				t.Errorf("%s --help: more than 80 columns: %s", c.CommandPath(), line)
			}
		}
		for _, sub := range c.Commands() {
			look(sub)
		}
	}
	look(rootCommand(new(int), &tracing{}))
}
