package finder

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pinpoint-go/pinpoint/stats"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata")

// TestGolden runs the hunts in testdata; its README says how to add one.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := runCase(a)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				setSection(a, "want", got)
				if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := section(a, "want"); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func setSection(a *txtar.Archive, name, text string) {
	for i, f := range a.Files {
		if f.Name == name {
			a.Files[i].Data = []byte(text)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
}

func runCase(a *txtar.Archive) (string, error) {
	root, err := parseTree(section(a, "tree"))
	if err != nil {
		return "", err
	}
	b := newBench(root, 1)
	s := &Search{Measure: b.stage(stats.Search), Confirm: b.stage(stats.Confirmation), Dig: b.dig}
	if err := configure(b, s, section(a, "hunt")); err != nil {
		return "", err
	}
	var out strings.Builder
	s.Trace = func(e Event) { out.WriteString(eventLine(e)) }
	result, err := s.Run(context.Background(), root.layer())
	if err != nil {
		fmt.Fprintf(&out, "error: %v\n", err)
		return out.String(), nil
	}
	writeResult(&out, result)
	return out.String(), nil
}

func newBench(root *node, seed uint64) *bench {
	return &bench{
		root: root, rng: rand.New(rand.NewPCG(seed, seed)), noise: .005, effect: .01, most: 48,
		ledger: stats.Ledger{Alpha: .01}, say: map[string]string{},
	}
}

// configure reads the hunt section: one "name value" a line.
func configure(b *bench, s *Search, text string) error {
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		var number float64
		var err error
		if name != "narrow" && name != "say" {
			if number, err = strconv.ParseFloat(value, 64); err != nil {
				return fmt.Errorf("parsing hunt: %q: %v", line, err)
			}
		}
		switch name {
		case "narrow":
			s.Narrow = map[string]Narrow{"binary": Binary, "linear": Linear, "sweep": Sweep}[value]
		case "depth":
			s.Depth = int(number)
		case "min-share":
			s.MinShare = number
		case "noise":
			b.noise = number
		case "pairs":
			b.most = int(number)
		case "seed":
			b.rng = rand.New(rand.NewPCG(uint64(number), uint64(number)))
		case "fail":
			b.fail = int(number)
		case "say":
			i := strings.LastIndexByte(value, ' ')
			b.say[value[:i]] = value[i+1:]
		default:
			return fmt.Errorf("parsing hunt: %q", line)
		}
	}
	return nil
}

func eventLine(e Event) string {
	switch e.Kind {
	case Measured:
		return readingLine(e)
	case Conflict:
		return fmt.Sprintf("conflict: %s\n", partName(e.Part))
	case Dug:
		return fmt.Sprintf("dig %s: %d calls\n", e.Layer.Name, len(e.Layer.Calls))
	case Stopped:
		return fmt.Sprintf("stop at %s: %s\n", partName(e.Part), e.Stop)
	case Confirmed:
		return fmt.Sprintf("confirm %s: whole %v, alone %v\n",
			partName(e.Culprit.Last()), e.Reading.Whole.Verdict, e.Culprit.Confirmation.Verdict)
	case Failed:
		return fmt.Sprintf("failed: %v\n", e.Err)
	default:
		return ""
	}
}

func readingLine(e Event) string {
	var out strings.Builder
	fmt.Fprintf(&out, "measure %s %v: whole %v", e.Layer.Name, e.On, e.Reading.Whole.Verdict)
	for i, p := range e.Parts {
		fmt.Fprintf(&out, ", %v %v %s", p, e.Reading.Parts[i].Verdict, percent(e.Shares[i]))
	}
	if e.Reading.Own != nil && len(e.Shares) > len(e.Parts) {
		fmt.Fprintf(&out, ", own %v %s", e.Reading.Own.Verdict, percent(e.Shares[len(e.Parts)]))
	}
	return out.String() + "\n"
}

func writeResult(out *strings.Builder, r Result) {
	fmt.Fprintf(out, "verdict %v, unexplained %s\n", r.Verdict, percent(r.Unexplained))
	for _, c := range r.Culprits {
		fmt.Fprintf(out, "culprit %v %s", c.Kind, percent(c.Share()))
		if c.Confirmed {
			out.WriteString(" confirmed")
		}
		fmt.Fprintf(out, " (%s):", c.Stop)
		for _, p := range c.Chain {
			fmt.Fprintf(out, " %s %s;", partName(p), percent(p.Share))
		}
		for _, p := range c.Also {
			fmt.Fprintf(out, " also %s;", partName(p))
		}
		out.WriteString("\n")
	}
	for _, list := range []struct {
		name  string
		parts []Part
	}{{"minor", r.Minor}, {"undecided", r.Undecided}, {"conflicting", r.Conflicts}} {
		for _, p := range list.parts {
			fmt.Fprintf(out, "%s %s %s\n", list.name, partName(p), percent(p.Share))
		}
	}
	if r.Err != nil {
		fmt.Fprintf(out, "error: %v\n", r.Err)
	}
	fmt.Fprintf(out, "cost: %d comparisons, %d of them confirming, %d layers\n", r.Comparisons, r.Confirmations, r.Layers)
}

func partName(p Part) string {
	switch {
	case p.Whole:
		return p.Layer.Name + " as a whole"
	case p.Own:
		return p.Layer.Name + "'s own code"
	case p.Region.Len() == 1:
		return p.Layer.Name + " calls " + p.Layer.Calls[p.Region.From].Name
	default:
		return p.Layer.Name + " " + p.Region.String()
	}
}

// percent rounds so coarsely that goldens don't hang on the last bits of a
// platform's arithmetic.
func percent(share float64) string {
	if math.IsNaN(share) {
		return "?"
	}
	return fmt.Sprintf("%d%%", int(math.Round(100*share)))
}
