package regressions_test

import (
	"bytes"
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pinpoint-go/pinpoint/internal/regressions"
)

var set = filepath.Join("..", "..", "testdata", "regressions")

// Every case is as the schema says, its driver is there and has its benchmark, and
// its answer is a function that a report can name.
func TestSet(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(set, "case.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := regressions.Read(set)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	function := regexp.MustCompile(`^[a-z0-9.]+(/[A-Za-z0-9._-]+)*\.(\(\*?[A-Za-z0-9_]+\)\.)?[A-Za-z0-9_]+(\.func[0-9]+)*$`)
	used := map[string]bool{}
	for _, c := range cases {
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if regressions.Kinds[c.Kind] == "" {
			t.Errorf("%s: kind %q is none of Kinds", c.Name, c.Kind)
		}
		if !(c.Ratio.Low > 1 && c.Ratio.Low <= c.Ratio.Median && c.Ratio.Median <= c.Ratio.High) {
			t.Errorf("%s: ratio %+v is no regression", c.Name, c.Ratio)
		}
		for _, a := range c.Answer {
			if !function.MatchString(a) {
				t.Errorf("%s: %s is no function's name as reports have it", c.Name, a)
			}
		}
		if c.Driver != "" {
			used[filepath.Base(c.Driver)] = true
			checkDriver(t, c)
		}
	}
	drivers, err := filepath.Glob(filepath.Join(set, "drivers", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drivers {
		if !used[filepath.Base(d)] {
			t.Errorf("%s: no case has it", d)
		}
	}
}

func checkDriver(t *testing.T, c regressions.Case) {
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(set, c.Driver), nil, 0)
	if err != nil {
		t.Errorf("%s: %v", c.Name, err)
		return
	}
	if f.Scope.Lookup(c.Bench) == nil {
		t.Errorf("%s: %s has no %s", c.Name, c.Driver, c.Bench)
	}
}

// The schema lists the kinds that there are, and refuses what is not a case.
func TestSchema(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(set, "case.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Properties struct {
			Kind struct{ Enum []string }
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	for _, k := range doc.Properties.Kind.Enum {
		if regressions.Kinds[k] == "" {
			t.Errorf("the schema has a kind %q", k)
		}
	}
	if len(doc.Properties.Kind.Enum) != len(regressions.Kinds) {
		t.Errorf("the schema has %d kinds, there are %d", len(doc.Properties.Kind.Enum), len(regressions.Kinds))
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(set, "case.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"name": "x", "good": "main"}`))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(wrong) == nil {
		t.Error("the schema is content with a branch")
	}
}

func TestGrade(t *testing.T) {
	c := regressions.Case{Answer: []string{"m.F", "m.G"}}
	sure := func(name string) regressions.Culprit { return regressions.Culprit{Function: name, Confirmed: true} }
	probes := regressions.Culprit{Function: "m.X", Confirmed: true, How: "probes"}
	maybe := regressions.Culprit{Function: "m.X"}
	for _, test := range []struct {
		culprits []regressions.Culprit
		want     regressions.Grade
	}{
		{nil, regressions.Nothing},
		{[]regressions.Culprit{sure("m.G"), sure("m.X")}, regressions.First},
		{[]regressions.Culprit{{Function: "m.F"}}, regressions.First},
		{[]regressions.Culprit{maybe, sure("m.F")}, regressions.Listed},
		{[]regressions.Culprit{probes, sure("m.F")}, regressions.Listed},
		{[]regressions.Culprit{sure("m.X"), sure("m.F")}, regressions.Wrong},
		{[]regressions.Culprit{sure("m.X")}, regressions.Wrong},
		{[]regressions.Culprit{maybe, probes}, regressions.Other},
	} {
		if got := c.Grade(regressions.Report{Culprits: test.culprits}); got != test.want {
			t.Errorf("%v: %s, want %s", test.culprits, got, test.want)
		}
	}
}

// A case that is not like its file, or says what nobody asked for, is refused.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.json": `{"name": "b"}`,
		"c.json": `{"name": "c", "culprit": "x"}`,
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := regressions.ReadCase(file); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
	if _, err := regressions.Read(dir); err == nil || !strings.Contains(err.Error(), "a.json") {
		t.Errorf("%v", err)
	}
}
