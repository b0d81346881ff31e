package driver

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/revision"
	"github.com/pinpoint-go/pinpoint/workload"
)

//go:embed record/record.go
var recorder string

//go:embed record/known.go
var known string

// A call is one that was recorded, as package record writes it.
type call struct {
	Size    int
	Make    []string
	Args    []string
	Changed bool
	Refused []string
}

// Recording is what was seen of a function's calls.
type Recording struct {
	Function string
	Package  string   // directory of its package, relative to where the search looks
	Ran      []string // the tests and benchmarks that were run
	Kept     int      // distinct calls
	Refused  []Refusal
	Notes    []string // what was not looked at, and why

	target target
	calls  []call
}

// Refusal is an argument that can't be written down, in some calls or all.
type Refusal struct {
	Parameter string // its name and type
	Reason    string
}

// Record runs the tests, and where these never call the function the benchmarks, that
// may reach it, and keeps what they call it with. The error is *callgraph.NameError when
// no function or several have the name.
func Record(ctx context.Context, s *workload.Search, name string) (*Recording, error) {
	temp, err := harness.NewTempDir()
	if err != nil {
		return nil, err
	}
	defer temp.Remove()
	r := &Recording{}
	note := func(why string) { r.Notes = append(r.Notes, why) }
	file := filepath.Join(temp.Path, "record")
	r.Function, err = s.Sites(ctx, name, func(at *workload.Site) error {
		decl, ok := at.Func.Node.(*ast.FuncDecl)
		if !ok {
			return fmt.Errorf("%s is a function literal: name the function around it", at.Func.Name)
		}
		if r.target.decl == nil {
			r.target = targetOf(at, decl)
		}
		return r.run(ctx, s, at, file, note)
	}, note)
	if err != nil {
		return nil, err
	}
	if r.target.decl == nil {
		return nil, fmt.Errorf("%s: no package with tests that links it could be loaded\n%s", r.Function, strings.Join(r.Notes, "\n"))
	}
	if r.Package, err = s.Below(r.target.dir); err != nil {
		return nil, err
	}
	return r, r.read(file)
}

// run runs what reaches the function from one package, with the recorder in place.
func (r *Recording) run(ctx context.Context, s *workload.Search, at *workload.Site, file string, note func(string)) error {
	if len(at.Candidates) == 0 {
		return nil
	}
	files, err := recording(at, r.target)
	if err != nil {
		return err
	}
	bin, err := at.Build(ctx, revision.Build{Files: files})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		note(fmt.Sprintf("%s can't be recorded: %v", at.Candidates[0].Package, err))
		return nil
	}
	for _, kind := range []harness.Kind{harness.Test, harness.Bench} {
		for _, c := range at.Candidates {
			if info, err := os.Stat(file); c.Kind != kind || kind == harness.Bench && err == nil && info.Size() > 0 {
				continue
			}
			w := s.Process()
			w.Kind, w.Pattern = c.Kind, c.Pattern
			w.Set = append(slices.Clip(w.Set), "PINPOINT_RECORD="+file)
			w.Writes = []string{file}
			_, err := harness.Run(ctx, bin, w, harness.Order{N: 1, Batches: 1})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			var several *harness.ChoiceError
			if err != nil && !errors.As(err, &several) {
				first, _, _ := strings.Cut(err.Error(), "\n")
				note(fmt.Sprintf("%s does not run to its end: %s", c, first))
			}
			r.Ran = append(r.Ran, c.String())
		}
	}
	return nil
}

// recording lays the recorder over the function's package, and a call of it in front
// of the function's body.
func recording(at *workload.Site, t target) (map[string][]byte, error) {
	if reason := instrument.Unprobed(at.Func.Pkg.PkgPath); reason != "" || at.Func.Cgo {
		return nil, fmt.Errorf("%s can't be recorded: %s", at.Func.Name, cmp.Or(reason, "its file is written by cgo"))
	}
	source, err := at.Source(at.Func)
	if err != nil {
		return nil, err
	}
	args := slices.Clone(t.names)
	for i, name := range args {
		if name == "_" { // nobody reads it, so any value will do
			args[i] = "*new(" + t.spelt[i] + ")"
		}
	}
	lbrace := source.Fset.File(at.Func.Body().Lbrace).Offset(at.Func.Body().Lbrace) + 1
	text := fmt.Sprintf(" defer pinpointRecord(%q, []interface{}{%s})();", at.Func.Pkg.PkgPath, strings.Join(args, ", "))
	out := slices.Concat(source.Src[:lbrace], []byte(text), source.Src[lbrace:])
	dir := filepath.Dir(at.Func.Filename())
	clause := regexp.MustCompile(`(?m)^package record$`)
	in := []byte("package " + at.Func.Pkg.Name)
	return map[string][]byte{
		at.Func.Filename(): out,
		filepath.Join(dir, "zz_pinpoint_recorder.go"):  clause.ReplaceAll([]byte(recorder), in),
		filepath.Join(dir, "zz_pinpoint_recorder2.go"): clause.ReplaceAll([]byte(known), in),
	}, nil
}

// read takes the record apart.
func (r *Recording) read(name string) error {
	data, err := outside.File(name, mostRecord)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	seen := make(map[string]bool)
	classes := make(map[int]int)
	for line := range bytes.Lines(data) {
		var c call
		if json.Unmarshal(line, &c) != nil {
			continue // a process was ended while it wrote
		}
		for i, reason := range c.Refused {
			f := Refusal{Reason: strings.TrimSpace(reason)}
			if reason == "" || i >= len(r.target.names) {
				continue
			}
			f.Parameter = strings.TrimSpace(r.target.names[i] + " " + r.target.spelt[i])
			if !slices.Contains(r.Refused, f) {
				r.Refused = append(r.Refused, f)
			}
		}
		key := strconv.Quote(strings.Join(c.Make, "\n") + "\n" + strings.Join(c.Args, "\n"))
		if len(c.Refused) > 0 || seen[key] || classes[classOf(c.Size)] == perClass || len(r.calls) == most {
			continue
		}
		seen[key] = true
		classes[classOf(c.Size)]++
		r.calls = append(r.calls, c)
	}
	r.Kept = len(r.calls)
	return nil
}

// The bounds over all processes; package record has them for each.
const (
	most     = 64
	perClass = 16

	mostRecord = 256 << 20 // bytes of the file, by which package record keeps far below
)
