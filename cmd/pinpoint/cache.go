package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/internal/cache"
	"github.com/pinpoint-go/pinpoint/internal/text"
)

func cacheCommand() *cobra.Command {
	var most size
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "show what is kept for later runs, bound it or remove it",
		Long: `Cache shows what pinpoint keeps in the user's cache directory, so that later
runs need not make it again: private trees of revisions, copies of dependencies
and of toolchains, and what --resume goes on from. Nobody but the user can read
it.

It is bounded, to 5 GiB if nothing else was said: every run begins with removing
what was used least recently. With --max, it is so at once, and from now on.
What another pinpoint may be using stays.`,
		Example: `  pinpoint cache
  pinpoint cache --max 2GiB
  pinpoint cache clean`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := backup.CacheDir()
			if err != nil {
				return err
			}
			if most > 0 {
				if err := cache.SetMax(dir, int64(most)); err != nil {
					return err
				}
				if err := shrinkCache(cmd.OutOrStdout(), dir, int64(most)); err != nil {
					return err
				}
			}
			return showCache(cmd.OutOrStdout(), dir)
		},
	}
	cmd.Flags().Var(&most, "max", "bytes that it may hold, such as 5GiB")
	cmd.AddCommand(&cobra.Command{
		Use:   "clean",
		Short: "remove all of it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := backup.CacheDir()
			if err != nil {
				return err
			}
			return shrinkCache(cmd.OutOrStdout(), dir, 0)
		},
	})
	return cmd
}

func shrinkCache(w io.Writer, dir string, most int64) error {
	gone, err := cache.Shrink(dir, most)
	if err != nil {
		return err
	}
	left, err := cache.List(dir)
	if err != nil {
		return err
	}
	if len(gone) > 0 {
		fmt.Fprintf(w, "removed %s, %s\n", text.Plural(len(gone), "piece"), bytesOf(cache.Total(gone)))
	}
	if over := cache.Total(left); over > most {
		fmt.Fprintf(w, "%s may be in use by another pinpoint, and stay\n", bytesOf(over))
	}
	return nil
}

func showCache(w io.Writer, dir string) error {
	list, err := cache.List(dir)
	if err != nil {
		return err
	}
	kinds := []string{"tree", "module", "toolchain", "session"}
	for _, kind := range kinds {
		var of []cache.Entry
		for _, e := range list {
			if e.Kind == kind {
				of = append(of, e)
			}
		}
		if len(of) > 0 {
			fmt.Fprintf(w, "%-10s %5d  %10s  last used %s\n", kind, len(of), bytesOf(cache.Total(of)), of[len(of)-1].Used.Format("2006-01-02 15:04"))
		}
	}
	_, err = fmt.Fprintf(w, "%s of %s in %s\n", bytesOf(cache.Total(list)), bytesOf(cache.Max(dir)), dir)
	return err
}

// bytesOf prints a size as --max reads it.
func bytesOf(n int64) string {
	for _, unit := range []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= unit.size {
			return fmt.Sprintf("%.3g %s", float64(n)/float64(unit.size), unit.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}
