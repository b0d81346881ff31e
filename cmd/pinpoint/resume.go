package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/cache"
)

// resumable gives a command --resume: what it measures is kept while it does, for the same
// command to go on with after it was ended by anything.
func resumable(cmd *cobra.Command, status *int) {
	resume := false
	cmd.Flags().BoolVar(&resume, "resume", false, "go on with what the same command measured before it was interrupted")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if dry, _ := cmd.Flags().GetBool("dry-run"); dry {
			return run(cmd, args)
		}
		j, err := openJournal(cmd, args, resume)
		if resume && err != nil {
			return fmt.Errorf("--resume: %w", err)
		}
		if err == nil {
			cmd.SetContext(harness.Journaled(cmd.Context(), j))
			cmd.Flags().Lookup("seed").Value.Set(strconv.FormatUint(j.Seed, 10))
		}
		if resume && j.Kept == 0 {
			fmt.Fprintln(cmd.ErrOrStderr(), "pinpoint: there is nothing to go on with: it begins anew")
		}
		err = run(cmd, args)
		if resume && j.Kept > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "pinpoint: used %d of %d measurements of the run before\n", j.Used, j.Kept)
		}
		ended := cmd.Context().Err() != nil
		j.Close(err == nil && !ended && *status <= 1)
		if ended && j != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "pinpoint: what was measured is kept: the same command with --resume goes on from here")
		}
		return err
	}
}

// openJournal opens that of a command line. It is in the way of none: where it can't be
// kept, nothing is.
func openJournal(cmd *cobra.Command, args []string, resume bool) (*harness.Journal, error) {
	dir, err := backup.CacheDir()
	if err != nil {
		return nil, err
	}
	name, err := journalName(cmd, args)
	if err != nil {
		return nil, err
	}
	if err := cache.Hold(dir); err != nil {
		return nil, err
	}
	if dir, err = cache.Dir(dir, "rounds"); err != nil {
		return nil, err
	}
	seed, err := cmd.Flags().GetUint64("seed")
	if seed == 0 {
		seed = 1 + rand.Uint64N(1_000_000)
	}
	j, opened := harness.OpenJournal(filepath.Join(dir, name), seed, resume)
	return j, errors.Join(err, opened)
}

// aside are flags that another run of the same may have otherwise: of what is printed and
// written, and of how long it may take.
var aside = append([]string{"resume", "budget", "evidence-budget", "plain", "quiet", "commands", "annotations", "out", "trace"}, outputFlags...)

// journalName is the same for the same command line in the same directory.
func journalName(cmd *cobra.Command, args []string) (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %q %q\n", cmd.Name(), here, args)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(aside, f.Name) {
			fmt.Fprintf(sum, "%s %q\n", f.Name, f.Value.String())
		}
	})
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}
