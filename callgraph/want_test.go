package callgraph

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestWant loads the module in each archive whose source has expectations: the
// lines below WANT: in comments, negated by a leading !. Functions are named as
// [Program.Func] takes them, functions without source by their last part.
//
//	layer FUNC: TEXT | TEXT            the whole layer; go and defer are marked
//	implicit FUNC: NAME                a callee of a call without expression
//	call FUNC: TEXT --KIND--> FUNC     a callee or candidate
//	target FUNC: TEXT NAME             Call.Target
//	at FUNC: TEXT LINE:COLUMN          Call.Pos
//	instance FUNC: TEXT NAME           an instance of a generic callee
//	literal FUNC: TEXT FUNC            a function passed as an argument
//	recursive FUNC
//	group FUNC: FUNC FUNC | FUNC       members, and leaves if there are any
func TestWant(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, archive := range archives {
		ar, err := txtar.ParseFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		if !hasWants(ar) {
			continue
		}
		t.Run(filepath.Base(archive), func(t *testing.T) {
			p := load(t, unpack(t, ar), ".")
			for _, file := range ar.Files {
				checkWants(t, p, file)
			}
		})
	}
}

func hasWants(ar *txtar.Archive) bool {
	for _, file := range ar.Files {
		if strings.Contains(string(file.Data), "// WANT:") {
			return true
		}
	}
	return false
}

// unpack writes an archive to a new directory.
func unpack(t testing.TB, ar *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range ar.Files {
		name := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t testing.TB, dir, pkg string, flags ...string) *Program {
	t.Helper()
	p, err := Load(t.Context(), Config{Dir: dir, Package: pkg, Tests: true, BuildFlags: flags, Env: env()})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func env() []string { return append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off") }

func checkWants(t *testing.T, p *Program, file txtar.File) {
	inside := false
	for i, line := range strings.Split(string(file.Data), "\n") {
		text, comment := strings.CutPrefix(line, "// ")
		switch {
		case !comment:
			inside = false
		case text == "WANT:":
			inside = true
		case inside:
			fact, negated := strings.CutPrefix(text, "!")
			got, holds := evaluate(t, p, fact)
			if holds == negated {
				t.Errorf("%s:%d: want %s\ngot\n%s", file.Name, i+1, text, got)
			}
		}
	}
}

var factForm = regexp.MustCompile(`^(\w+) ([^ :]+):? ?(.*)$`)

// evaluate reports whether a fact holds, and what is the case instead.
func evaluate(t *testing.T, p *Program, fact string) (got string, holds bool) {
	m := factForm.FindStringSubmatch(fact)
	if m == nil {
		t.Fatalf("malformed expectation %q", fact)
	}
	fn, err := p.Func(m[2])
	if err != nil {
		return err.Error(), false
	}
	if m[1] == "recursive" {
		return "", p.Recursive(fn)
	}
	if m[1] == "group" {
		got := groupOf(p, fn)
		return got, got == m[3]
	}
	layer, err := p.Layer(fn)
	if err != nil {
		return err.Error(), false
	}
	var facts []string
	switch m[1] {
	case "layer":
		var texts []string
		for _, c := range layer.Calls {
			texts = append(texts, marked(c))
		}
		facts = []string{strings.Join(texts, " | ")}
	case "implicit":
		for _, c := range layer.Implicit {
			facts = append(facts, names(c.Callees)...)
		}
	default:
		for _, c := range layer.Calls {
			facts = append(facts, about(p, c, m[1])...)
		}
	}
	for _, f := range facts {
		holds = holds || f == m[3]
	}
	return strings.Join(facts, "\n"), holds
}

func groupOf(p *Program, fn *Function) string {
	g, err := p.Group(fn)
	if err != nil {
		return err.Error()
	}
	var members, leaves []string
	for _, m := range g.Members {
		members = append(members, brief(p, m.Func))
	}
	for _, leaf := range g.Leaves {
		leaves = append(leaves, brief(p, leaf))
	}
	got := strings.Join(members, " ")
	if len(leaves) > 0 {
		got += " | " + strings.Join(leaves, " ")
	}
	return got
}

func marked(c *Call) string {
	switch {
	case c.Defer:
		return "defer " + c.Text
	case c.Go:
		return "go " + c.Text
	}
	return c.Text
}

func about(p *Program, c *Call, what string) (facts []string) {
	switch what {
	case "call":
		for _, callee := range c.Callees {
			facts = append(facts, fmt.Sprintf("%s --%s--> %s", c.Text, c.Kind, brief(p, callee)))
		}
	case "literal":
		for _, lit := range c.Literals {
			facts = append(facts, c.Text+" "+brief(p, lit))
		}
	case "instance":
		for _, name := range c.Instances {
			facts = append(facts, c.Text+" "+name)
		}
	case "at":
		facts = append(facts, fmt.Sprintf("%s %d:%d", c.Text, c.Pos.Line, c.Pos.Column))
	case "target":
		facts = append(facts, c.Text+" "+strings.TrimPrefix(c.Target(), p.root.PkgPath+"."))
	}
	return facts
}

// brief is a name without the workload's import path, or with the last part of another.
func brief(p *Program, fn *Function) string {
	if name, ok := strings.CutPrefix(fn.Name, p.root.PkgPath+"."); ok {
		return name
	}
	return fn.Name[strings.LastIndex(fn.Name, "/")+1:]
}
