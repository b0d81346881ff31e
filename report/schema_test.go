package report_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pinpoint-go/pinpoint/report"
)

// schemas are the published ones, by the file that each is in.
var schemas = map[string]struct {
	id string
	of reflect.Type
}{
	"report.schema.json": {report.Schema, reflect.TypeFor[report.Report]()},
	"suite.schema.json":  {report.SuiteSchema, reflect.TypeFor[report.Suite]()},
	"sheet.schema.json":  {report.SheetSchema, reflect.TypeFor[report.Sheet]()},
}

// The schemas say what the types say, with their comments; what a schema promised once it
// goes on promising.
func TestSchemas(t *testing.T) {
	said := parseSource(t)
	for name, s := range schemas {
		g := generator{source: said, defs: map[string]any{}}
		root := g.object(s.of)
		root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
		root["$id"] = "https://github.com/pinpoint-go/pinpoint/blob/main/report/" + name
		root["title"] = s.id
		root["properties"].(map[string]any)["schema"] = map[string]any{"const": s.id}
		root["$defs"] = g.defs
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(root); err != nil {
			t.Fatal(err)
		}
		before, now := promisesOf(t, name), promises("", root)
		for _, p := range before {
			if !slices.Contains(now, p) {
				t.Errorf("%s: %s was promised, and is there no longer: fields are added, never renamed or removed", name, p)
			}
		}
		switch is, err := os.ReadFile(name); {
		case t.Failed() || err == nil && bytes.Equal(is, b.Bytes()):
		case *update:
			if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s does not say what the types say: go test ./report -update rewrites it", name)
		}
	}
}

// promisesOf are those of a schema as it is in its file.
func promisesOf(t *testing.T, name string) []string {
	data, err := os.ReadFile(name)
	if os.IsNotExist(err) && *update {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return promises("", doc)
}

// promises are the fields of a schema and what is said of each, a line for each.
func promises(path string, schema map[string]any) []string {
	var list []string
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		p := p.(map[string]any)
		kind, _ := json.Marshal([]any{p["type"], p["$ref"], p["anyOf"]})
		list = append(list, path+"/"+name+" "+string(kind))
	}
	required, _ := json.Marshal(schema["required"])
	var names []string
	json.Unmarshal(required, &names)
	for _, name := range names {
		list = append(list, path+"/"+name+" is required")
	}
	defs, _ := schema["$defs"].(map[string]any)
	for name, d := range defs {
		list = append(list, promises("#"+name, d.(map[string]any))...)
	}
	return list
}

// Whatever is written is as the schema says, and the schema says something.
func TestSchemaHolds(t *testing.T) {
	compiled := make(map[string]*jsonschema.Schema)
	for name := range schemas {
		s, err := jsonschema.NewCompiler().Compile(name)
		if err != nil {
			t.Fatal(err)
		}
		compiled[name] = s
	}
	valid := func(name string, data []byte) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return compiled[name].Validate(doc)
	}
	for name, r := range reports(t) {
		if err := valid("report.schema.json", written(t, r.WriteJSON)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, s := range suites(t) {
		if err := valid("suite.schema.json", written(t, s.WriteJSON)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, job := range []string{"measure", "check"} {
		f := readFile(t, filepath.Join("testdata", "sheet", job+".json"))
		if err := valid("sheet.schema.json", written(t, f.Sheet.WriteJSON)); err != nil {
			t.Errorf("%s: %v", job, err)
		}
	}
	real := written(t, hunt(t).Hunt.WriteJSON)
	for old, wrong := range map[string]string{
		`"verdict": "regression"`:           `"verdict": "slow"`,
		`"confirmed": true`:                 `"confirmed": "yes"`,
		`"schema": "pinpoint/report/v1"`:    `"schema": "pinpoint/report/v2"`,
		`"unit": "ns/op",`:                  ``,
		`"position": "listbuffer.go:25:1",`: ``,
	} {
		if !bytes.Contains(real, []byte(old)) {
			t.Fatalf("no %s in the report", old)
		}
		if valid("report.schema.json", bytes.Replace(real, []byte(old), []byte(wrong), 1)) == nil {
			t.Errorf("the schema is content with %q instead of %q", wrong, old)
		}
	}
}

// source is what the package's source says of its types.
type source struct {
	comments map[string]string   // by Type and Type.Field
	values   map[string][]string // of the constants of a type of strings
}

func parseSource(t *testing.T) source {
	said := source{map[string]string{}, map[string][]string{}}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, spec := range g.Specs {
					said.add(g, spec)
				}
			}
		}
	}
	return said
}

func (s source) add(g *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		s.comments[spec.Name.Name] = oneLine(g.Doc)
		if st, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range st.Fields.List {
				for _, n := range f.Names {
					s.comments[spec.Name.Name+"."+n.Name] = oneLine(f.Doc) + oneLine(f.Comment)
				}
			}
		}
	case *ast.ValueSpec:
		of, ok := spec.Type.(*ast.Ident)
		if !ok || len(spec.Values) == 0 {
			return
		}
		if v, ok := spec.Values[0].(*ast.BasicLit); ok && v.Kind == token.STRING {
			s.values[of.Name] = append(s.values[of.Name], strings.Trim(v.Value, `"`))
		}
	}
}

func oneLine(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return strings.Join(strings.Fields(c.Text()), " ")
}

// generator makes a schema of types.
type generator struct {
	source source
	defs   map[string]any
}

func (g generator) object(of reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range reflect.VisibleFields(of) {
		tag, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || tag == "" {
			continue
		}
		owner := of
		if len(f.Index) > 1 {
			owner = of.Field(f.Index[0]).Type
		}
		p := g.schema(f.Type)
		if said := g.source.comments[owner.Name()+"."+f.Name]; said != "" {
			p["description"] = said
		}
		properties[tag] = p
		if !strings.Contains(opts, "omitempty") {
			required = append(required, tag)
		}
	}
	slices.Sort(required)
	out := map[string]any{"type": "object", "properties": properties, "required": required}
	if said := g.source.comments[of.Name()]; said != "" {
		out["description"] = said
	}
	return out
}

func (g generator) schema(of reflect.Type) map[string]any {
	switch of.Kind() {
	case reflect.Pointer:
		if of.Elem().Kind() == reflect.Struct {
			return map[string]any{"anyOf": []any{g.schema(of.Elem()), map[string]any{"type": "null"}}}
		}
		p := g.schema(of.Elem())
		p["type"] = []any{p["type"], "null"}
		return p
	case reflect.Slice: // many are null where there is nothing
		return map[string]any{"type": []any{"array", "null"}, "items": g.schema(of.Elem())}
	case reflect.Struct:
		if _, ok := g.defs[of.Name()]; !ok {
			g.defs[of.Name()] = nil // it may hold itself
			g.defs[of.Name()] = g.object(of)
		}
		return map[string]any{"$ref": "#/$defs/" + of.Name()}
	case reflect.String:
		p := map[string]any{"type": "string"}
		if values := g.source.values[of.Name()]; len(values) > 0 {
			p["enum"] = values
		}
		return p
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	return map[string]any{"type": "integer"}
}
