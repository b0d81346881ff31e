package main

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/revision"
)

// probeFlags are the flags of the probe command.
type probeFlags struct {
	codeFlags
	pkg, function, out string
	all                bool
}

func probeCommand() *cobra.Command {
	f := &probeFlags{}
	cmd := &cobra.Command{
		Use:   "probe --pkg DIR (--func NAME | --all) -o DIR",
		Short: "write probed source as an overlay for go build and go test",
		Long: `Probe puts a timing probe at every call expression of a function, or of a whole
package, and writes the changed files and an overlay.json that the go command
takes. Your files are not changed:

  pinpoint probe --pkg ./codec --all -o /tmp/probed
  go test -overlay /tmp/probed/overlay.json ./codec

All probes are on, and nobody reads them: this shows that the probed program
still does what it did. What can't be probed is listed with its reason.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), cmd.OutOrStdout()) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.pkg, "pkg", ".", "the `package`: a directory or an import path, of the standard library too")
	functionFlag(fs, &f.function, "")
	fs.BoolVar(&f.all, "all", false, "every function of the package")
	fs.StringVarP(&f.out, "out", "o", "", "`directory` to write to")
	f.registerCode(fs)
	return cmd
}

func (f *probeFlags) run(ctx context.Context, w io.Writer) error {
	if f.out == "" {
		return usagef("a directory to write to is needed: -o DIR")
	}
	if (f.function == "") == !f.all {
		return usagef("say what to probe: --func NAME or --all")
	}
	temp, err := harness.NewTempDir()
	if err != nil {
		return err
	}
	defer temp.Remove()
	rev, err := revision.Here(ctx, revision.Spec{
		Dir: f.dir, Package: f.pkg, Tags: f.tags, Workload: harness.Workload{Kind: harness.Main}, // without tests
	}, temp.Path)
	if err != nil {
		return err
	}
	if rev.Cached() {
		return fmt.Errorf("probing %s: the go command takes no overlay for files in the module cache; copy the module and replace it", f.pkg)
	}
	files, fn, err := f.load(ctx, rev)
	if err != nil {
		return err
	}
	changed, asked, refused, err := instrument.All(files, fn, 0)
	if err != nil {
		return err
	}
	if err := f.write(rev.Go(), changed); err != nil {
		return err
	}
	return f.tell(w, files, len(asked), refused)
}

// load gives the files of the package, or the one of the function to probe with its
// syntax.
func (f *probeFlags) load(ctx context.Context, rev *revision.Revision) (files []instrument.File, fn ast.Node, err error) {
	prog, err := rev.Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !f.all {
		fn, err := prog.Func(f.function)
		if err != nil {
			return nil, nil, err
		}
		file, err := rev.Source(fn)
		return []instrument.File{file}, fn.Node, err
	}
	path, _ := prog.Package()
	for _, pkg := range prog.Packages() {
		if pkg.PkgPath != path {
			continue
		}
		for _, syntax := range pkg.Syntax {
			files = append(files, instrument.FileOf(pkg, syntax, prog.Contents))
		}
	}
	return files, nil, nil
}

func (f *probeFlags) write(gocmd *harness.Go, changed map[string][]byte) error {
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return err
	}
	overlay := instrument.Overlay{}
	if err := overlay.AddRuntime(gocmd.Root); err != nil {
		return err
	}
	if err := overlay.Add(changed); err != nil {
		return err
	}
	_, err := overlay.Write(f.out)
	return err
}

// tell prints how many call expressions were probed and refused, by reason.
func (f *probeFlags) tell(w io.Writer, files []instrument.File, asked int, refused []instrument.Refusal) error {
	share := 100.0
	if asked > 0 {
		share = 100 * float64(asked-len(refused)) / float64(asked)
	}
	fmt.Fprintf(w, "%d of %d call expressions probed (%.1f %%), %d refused\n", asked-len(refused), asked, share, len(refused))
	count := make(map[string]int)
	var reasons []string
	for _, r := range refused {
		if count[r.Reason] == 0 {
			reasons = append(reasons, r.Reason)
		}
		count[r.Reason]++
	}
	slices.SortFunc(reasons, func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	for _, reason := range reasons {
		fmt.Fprintf(w, "%6d  %s\n", count[reason], reason)
	}
	out, err := filepath.Abs(f.out)
	if err != nil {
		return err
	}
	flag := ""
	for _, file := range files {
		if needed, ok := instrument.NeedsLang(file); ok {
			// Vet would check the probed files by the module's own language.
			flag = " -vet=off '" + needed + "'"
		}
	}
	_, err = fmt.Fprintf(w, "go test -overlay %s%s %s\n", filepath.Join(out, "overlay.json"), flag, f.pkg)
	return err
}
