package profiles

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/pinpoint-go/pinpoint/change"
)

// recorded makes a profile: samples by stack, the function that ran first, and by label.
func recorded(t testing.TB, typ, unit string, stacks map[string]int64) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: typ, Unit: unit}}, PeriodType: &profile.ValueType{Type: typ, Unit: unit}, Period: 10}
	for stack, n := range stacks {
		names, label, _ := strings.Cut(stack, "@")
		s := &profile.Sample{Value: []int64{n, 10 * n}, Label: map[string][]string{"path": {label}}}
		for name := range strings.SplitSeq(names, "<") {
			f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
			l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}}}
			p.Function, p.Location, s.Location = append(p.Function, f), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestErrors(t *testing.T) {
	cpu := recorded(t, "cpu", "nanoseconds", map[string]int64{"m.f": 5})
	for want, data := range map[string][]byte{
		"the file is empty":    {},
		"cut off":              cpu[:len(cpu)/2],
		"it is a heap profile": recorded(t, "inuse_space", "bytes", map[string]int64{"m.f": 5}),
		"has no samples":       recorded(t, "cpu", "nanoseconds", nil),
		"not symbolised":       recorded(t, "cpu", "nanoseconds", map[string]int64{"": 5}),
		"its values are":       recorded(t, "else", "count", map[string]int64{"m.f": 5}),
	} {
		if _, err := parse(data, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	name := filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(name, cpu[:len(cpu)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(name, nil); err == nil || !strings.Contains(err.Error(), name+": not a profile, or one that was cut off") {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(name, cpu, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(name, regexp.MustCompile("path:/x")); err == nil || !strings.Contains(err.Error(), `no sample has a label that "path:/x" matches`) {
		t.Errorf("%v", err)
	}
}

func TestCompare(t *testing.T) {
	read := func(focus *regexp.Regexp, stacks map[string]int64) *Profile {
		p, err := parse(recorded(t, "cpu", "nanoseconds", stacks), focus)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	all := func(string) bool { return true }
	good := read(nil, map[string]int64{"m.leaf<m.(*T).call[...]<m.main": 100, "m.other<m.main": 900, "m.rec<m.rec<m.main": 100})
	// Recorded for three times as long. A leaf takes a fifth more of the time, and so does
	// who calls it; noise is no growth.
	bad := read(nil, map[string]int64{"m.leaf<m.(*T).call[...]<m.main": 900, "m.other<m.main": 2100, "m.rec<m.rec<m.main": 310})
	grown, err := Compare(change.Pair[*Profile]{Good: good, Bad: bad}, all, 0.01)
	if err != nil || len(grown) != 2 {
		t.Fatalf("%+v, %v", grown, err)
	}
	for _, g := range grown {
		if g.IsOwn != (g.Function == "m.leaf") || !(g.More.Low > 0.1 && g.More.Low < g.More.Mean && g.More.Mean < g.More.High && g.More.High < 0.25) {
			t.Errorf("%+v", g)
		}
	}
	if good.All["m.rec"] != 100 {
		t.Errorf("a recursion was counted %v times", good.All["m.rec"])
	}
	if grown, _ := Compare(change.Pair[*Profile]{Good: good, Bad: good}, all, 0.01); len(grown) > 0 {
		t.Errorf("against itself: %+v", grown)
	}
	if p := read(regexp.MustCompile("^path:/a$"), map[string]int64{"m.f@/a": 1, "m.g@/b": 2}); p.Samples != 1 {
		t.Errorf("%v samples in focus", p.Samples)
	}
	other := read(nil, map[string]int64{"x.f": 1000})
	if _, err := Compare(change.Pair[*Profile]{Good: good, Bad: other}, all, 0.01); err != ErrDiffer {
		t.Errorf("%v", err)
	}
}

func TestWilson(t *testing.T) {
	// R: prop.test(10, 100, correct = FALSE)$conf.int
	if s := wilson(10, 100, 1.959963984540054); s.Low < 0.05522 || s.Low > 0.05523 || s.High < 0.1743 || s.High > 0.1744 {
		t.Errorf("%+v", s)
	}
}
