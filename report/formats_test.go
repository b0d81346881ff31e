package report_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/perf/benchfmt"

	"github.com/pinpoint-go/pinpoint/report"
)

// hunt is a real one, as a file of it is read.
func hunt(t *testing.T) *report.File {
	t.Helper()
	return readFile(t, filepath.Join("testdata", "hunt.json"))
}

func readFile(t *testing.T, name string) *report.File {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := report.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// readBack reads what is written.
func readBack(t *testing.T, write func(io.Writer) error) *report.File {
	t.Helper()
	f, err := report.Read(bytes.NewReader(written(t, write)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What hunts in several workloads found is drawn with all of them.
func TestJointFormats(t *testing.T) {
	j := report.Join([]*report.Report{hunt(t).Hunt, reports(t)["testdata/proofs"]})
	f := readBack(t, j.WriteJSON)
	if text := written(t, j.WriteText); !bytes.Equal(text, drawn(t, f, "text")) {
		t.Errorf("read back, it is another text")
	}
	for _, format := range []string{"markdown", "comment", "junit"} {
		for _, want := range []string{"BenchmarkRun", "BenchmarkEncode"} {
			if page := drawn(t, f, format); !bytes.Contains(page, []byte(want)) {
				t.Errorf("%s has no %s:\n%s", format, want, page)
			}
		}
	}
}

func drawn(t *testing.T, f *report.File, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, format); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.Bytes()
}

// Every report and every suite is drawn in every format that there is for it, twice the
// same, and only what one file can't hold is refused.
func TestFormats(t *testing.T) {
	files := make(map[string]*report.File)
	for name, r := range reports(t) {
		files[name] = &report.File{Hunt: r}
	}
	for name, s := range suites(t) {
		files[name] = &report.File{Suite: s}
	}
	two := report.Join([]*report.Report{hunt(t).Hunt, reports(t)["testdata/proofs"]})
	files["joint"] = readBack(t, two.WriteJSON)
	for name, f := range files {
		for _, format := range report.FormatNames() {
			var once, again bytes.Buffer
			err := f.Write(&once, format)
			if refused := f.Hunt == nil && (format == "html" || strings.HasPrefix(format, "pprof")); (err != nil) != refused {
				t.Errorf("%s as %s: %v", name, format, err)
			}
			f.Write(&again, format)
			if !bytes.Equal(once.Bytes(), again.Bytes()) {
				t.Errorf("%s as %s: not the same twice", name, format)
			}
		}
	}
	if err := hunt(t).Write(&bytes.Buffer{}, "pdf"); err == nil || !strings.Contains(err.Error(), "markdown") {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestHuntMarkdown(t *testing.T) {
	for name, r := range reports(t) {
		golden(t, name+".md", drawn(t, &report.File{Hunt: r}, "markdown"))
	}
}

// The formats that are made for many hold a single hunt: with its culprit's place.
func TestHuntAsSuite(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "sarif", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	log := drawn(t, hunt(t), "sarif")
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Error(err)
	}
	if !bytes.Contains(log, []byte(`"uri": "listbuffer.go"`)) {
		t.Errorf("the culprit's file is not in\n%s", log)
	}
	var suites struct {
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal(drawn(t, hunt(t), "junit"), &suites); err != nil || suites.Failures != 1 {
		t.Errorf("%d failures, %v", suites.Failures, err)
	}
}

// No revision has the driver's file: a step in it has no place, and the others have.
func TestSARIFOfDriver(t *testing.T) {
	f := hunt(t)
	before := bytes.Count(drawn(t, f, "sarif"), []byte(`"physicalLocation"`))
	first, _, _ := strings.Cut(f.Hunt.Culprits[0].Chain[0].Position, ":")
	f.Hunt.Workload.Driver = "/elsewhere/" + filepath.Base(first)
	in := 0
	for _, step := range f.Hunt.Culprits[0].Chain {
		if strings.HasPrefix(step.Position, first+":") {
			in++
		}
	}
	if got := bytes.Count(drawn(t, f, "sarif"), []byte(`"physicalLocation"`)); in == 0 || got != before-in {
		t.Errorf("%d places, %d without the %d in the driver", before, got, in)
	}
}

// In the profiles an operation takes what the whole took, however the steps below it
// share it, and the culprit has most of the difference.
func TestProfiles(t *testing.T) {
	f := hunt(t)
	dir := t.TempDir()
	totals := make(map[string]int64)
	for _, format := range []string{"pprof-good", "pprof"} {
		data := drawn(t, f, format)
		p, err := profile.ParseData(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Sample {
			totals[format] += s.Value[0]
		}
		if err := os.WriteFile(filepath.Join(dir, format), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for format, want := range map[string]float64{"pprof-good": f.Hunt.Whole.Good, "pprof": f.Hunt.Whole.Bad} {
		if got := float64(totals[format]); got < want-10 || got > want+10 {
			t.Errorf("%s adds up to %v ns, the whole is %v", format, got, want)
		}
	}
	out, err := exec.Command("go", "tool", "pprof", "-top", "-nodecount=1", "-diff_base", filepath.Join(dir, "pprof-good"), filepath.Join(dir, "pprof")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "(*ListBuffer).Size") {
		t.Errorf("go tool pprof: %v\n%s", err, out)
	}
}

// What an operation has less than one of is not rounded away.
func TestProfileOfLittle(t *testing.T) {
	h := hunt(t).Hunt
	h.Whole.Good, h.Whole.Bad, h.Whole.Unit, h.Culprits = 0.25, 0.5, "allocs/op", nil
	p, err := profile.ParseData(drawn(t, &report.File{Hunt: h}, "pprof"))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Sample[0].Value[0]; got != 500 || p.Comments[1] != "1000 operations of bad" {
		t.Errorf("%d of %q", got, p.Comments)
	}
}

// Benchstat sees what the hunt saw.
func TestBenchfmt(t *testing.T) {
	f := hunt(t)
	data := drawn(t, f, "benchfmt")
	in := benchfmt.NewReader(bytes.NewReader(data), "hunt")
	sides := make(map[string]int)
	for in.Scan() {
		res, ok := in.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%v", in.Result())
		}
		sides[res.GetConfig("side")]++
	}
	if n := f.Hunt.Whole.Pairs; sides["good"] != n || sides["bad"] != n {
		t.Errorf("%v lines, want %d of each side", sides, n)
	}
	name := filepath.Join(t.TempDir(), "hunt.txt")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "benchstat", "-col", "side", name).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "+5") && !strings.Contains(string(out), "+6") {
		t.Errorf("benchstat: %v\n%s", err, out)
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"BenchmarkX 1 2 ns/op":                 "not a report in JSON",
		`{"schema": "pinpoint/report/v2"}`:     `"pinpoint/report/v2"`,
		`{"schema": "pinpoint/report/v1"} {}`:  "not a report in JSON",
		`{"verdict": "regression"}`:            `schema ""`,
		`{"schema": "pinpoint/suite/v1", "a":`: "not a report in JSON",
	} {
		if _, err := report.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	f, err := report.Read(strings.NewReader(`{"schema": "pinpoint/report/v1", "verdict": "improvement", "of_later": [1]}`))
	if err != nil || f.Hunt.Verdict != report.Improvement || f.Suite != nil {
		t.Errorf("%+v, %v", f, err)
	}
}
