package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
)

//go:embed demo.txtar
var demoArchive []byte

func demoCommand(status *int) *cobra.Command {
	f := &findFlags{}
	f.register(pflag.NewFlagSet("", pflag.ContinueOnError), setup.DefaultBudget) // for find's defaults: its flags are not the demo's
	keep := ""
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "hunt for a planted regression in a throw-away repository",
		Long: `Demo makes a git repository with two commits in a temporary directory, runs
'pinpoint find' on it and prints what that prints. In the second commit,
(*ListBuffer).Size counts the elements that it used to know the number of.

The exit status is 0 when the planted function was named.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runDemo(cmd, f, keep, status) },
	}
	finderFlag(cmd.Flags(), &f.hunt.Finder)
	jsonFlag(cmd.Flags(), &f.json)
	cmd.Flags().StringVar(&keep, "keep", "", "make the repository in this `directory` and keep it")
	return cmd
}

const demoCulprit = "example.com/demo.(*ListBuffer).Size"

func runDemo(cmd *cobra.Command, f *findFlags, dir string, status *int) error {
	if dir == "" {
		temp, err := harness.NewTempDir()
		if err != nil {
			return err
		}
		defer temp.Remove()
		dir = filepath.Join(temp.Path, "demo")
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	} else if err := emptyDir(dir); err != nil {
		return fmt.Errorf("--keep: %w", err)
	}
	if err := makeDemo(cmd.Context(), dir); err != nil {
		return err
	}
	fmt.Fprint(cmd.OutOrStdout(), "$ pinpoint find --good good --bad bad --bench '^BenchmarkRun$' --evidence all\n\n")

	f.hunt.Evidence = setup.AllEvidence // it is to be seen
	f.dir, f.hunt.Good, f.hunt.Bad, f.bench, f.process.Timeout = dir, "good", "bad", "^BenchmarkRun$", time.Minute
	opts, err := f.options(nil)
	if err != nil {
		return err
	}
	// The demo's trees go with its repository.
	opts.CacheDir = filepath.Join(dir, ".git", "pinpoint")
	r, err := f.find(cmd, opts, status)
	if err != nil {
		return err
	}
	switch named := len(r.Culprits) > 0 && r.Culprits[0].Function == demoCulprit; {
	case named:
		*status = 0
	case *status == 0:
		*status = 3 // there is a regression, and it was not found
	}
	return nil
}

// emptyDir makes a directory, or takes one that has nothing in it: what it holds
// would be committed.
func emptyDir(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty: give a new directory", dir)
	}
	return err
}

// makeDemo makes the repository: a commit tagged good, and one tagged bad.
func makeDemo(ctx context.Context, dir string) error {
	files := map[string]map[string][]byte{"good": {}, "bad": {}}
	for _, f := range txtar.Parse(demoArchive).Files {
		if name, ok := strings.CutPrefix(f.Name, "bad/"); ok {
			files["bad"][name] = f.Data
		} else {
			files["good"][f.Name] = f.Data
		}
	}
	if err := git(ctx, dir, "init", "-q"); err != nil {
		return err
	}
	for _, rev := range []string{"good", "bad"} {
		for name, data := range files[rev] {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				return err
			}
		}
		for _, args := range [][]string{
			{"add", "."},
			{"commit", "-q", "-m", "demo: the " + rev + " revision"},
			{"tag", rev},
		} {
			if err := git(ctx, dir, args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// git runs git for the demo's own repository, with an identity of its own: the
// user may not have set one up, and their hooks and signing are not for this.
func git(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "GIT_") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Env = append(cmd.Env,
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=pinpoint", "GIT_AUTHOR_EMAIL=demo@example.com",
		"GIT_COMMITTER_NAME=pinpoint", "GIT_COMMITTER_EMAIL=demo@example.com",
		"GIT_AUTHOR_DATE=2012-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2012-01-01T00:00:00Z",
	)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("making the demo's repository: git %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}
