package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/revision"
)

// layersFlags are the flags of the layers command.
type layersFlags struct {
	codeFlags
	rev, pkg, function string
	depth              int
}

func layersCommand() *cobra.Command {
	f := &layersFlags{}
	cmd := &cobra.Command{
		Use:   "layers --rev REV --pkg DIR --func NAME",
		Short: "show the layers of a function: what a search would go through",
		Long: `Layers prints the call expressions of a function in evaluation order, one a
line, with whom each may reach, and below each the layer of what it reaches.`,
		Example: `  pinpoint layers --rev HEAD --pkg ./codec --func '(*Encoder).Encode' --depth 2`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), cmd.OutOrStdout()) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.rev, "rev", "HEAD", "the `revision`, or WORKTREE")
	fs.StringVar(&f.pkg, "pkg", ".", "`directory` of the package, relative to -C")
	functionFlag(fs, &f.function, "")
	fs.IntVar(&f.depth, "depth", 1, "how `many` layers to print")
	f.registerCode(fs)
	return cmd
}

func (f *layersFlags) run(ctx context.Context, w io.Writer) error {
	if f.function == "" {
		return usagef("a function is needed: --func NAME")
	}
	if f.depth < 1 {
		return usagef("--depth %d: give the number of layers to print, at least 1", f.depth)
	}
	set, err := revision.Open(ctx, revision.Spec{Dir: f.dir, Package: f.pkg, Tags: f.tags, Unbuilt: true}, f.rev)
	if err != nil {
		return err
	}
	defer set.Close()
	rev := set.All()[0]
	prog, err := rev.Load(ctx)
	if err != nil {
		return err
	}
	fn, err := prog.Func(f.function)
	if err != nil {
		return err
	}
	t := &layerTree{w: w, prog: prog, rev: rev, seen: make(map[string]bool)}
	fmt.Fprintf(w, "%s  %s\n", fn.Name, rev.Position(fn.Pos))
	return t.print(fn, f.depth, 1)
}

// layerTree prints layers as a tree.
type layerTree struct {
	w    io.Writer
	prog *callgraph.Program
	rev  *revision.Revision
	seen map[string]bool // on the way down: recursion is shown once
}

func (t *layerTree) print(fn *callgraph.Function, depth, level int) error {
	layer, err := t.prog.Layer(fn)
	if err != nil {
		return err
	}
	t.seen[fn.Name] = true
	defer delete(t.seen, fn.Name)
	indent := strings.Repeat("  ", level)
	for _, c := range layer.Calls {
		fmt.Fprintf(t.w, "%s%s  %s%s\n", indent, t.rev.Position(c.Pos), c.Text, t.reached(c))
		if depth == 1 {
			continue
		}
		for _, callee := range slices.Concat(c.Callees, c.Literals) {
			if !callee.HasBody() {
				continue
			}
			if t.seen[callee.Name] {
				fmt.Fprintf(t.w, "%s  (%s again)\n", indent, callee.Name)
				continue
			}
			if err := t.print(callee, depth-1, level+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// reached says whom a call may run, where its text does not.
func (t *layerTree) reached(c *callgraph.Call) string {
	var names []string
	for _, fn := range slices.Concat(c.Callees, c.Literals) {
		names = append(names, fn.Name)
	}
	if names == nil {
		return "  → unknown"
	}
	return "  → " + text.Join(names, ", ", 3)
}
