package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/doctor"
	"github.com/pinpoint-go/pinpoint/internal/cache"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/report"
)

func reportCommand() *cobra.Command {
	format, out := "", ""
	cmd := &cobra.Command{
		Use:   "report [FILE]",
		Short: "draw what a hunt found: as a page, a profile, a summary",
		Long: `Report draws a file that --json wrote, of find, compare, bisect or ci, again and
in other forms; nothing is measured. Without a file it takes the last one that
was made here, which is kept in the cache. Of measure and history check there
are text, html, markdown, json, and benchfmt or junit; of doctor the first four.

  text        as it was printed
  html        one page that needs nothing else: pictures of the proof and of the
              way to the culprit, the change, what was tried
  markdown    for an issue or a pull request
  comment     shorter, as ci --comment has it: 65,536 bytes at most
  json        as --json writes it
  pprof       the way to each culprit in bad as a profile, pprof-good in good:
              go tool pprof -diff_base good.pprof bad.pprof
  benchfmt    the samples: benchstat -col side FILE
  sarif       for code scanning and editors
  junit       for test reports`,
		Example: `  pinpoint report
  pinpoint report --format html -o hunt.html
  pinpoint report hunt.json --format markdown -o issue.md
  pinpoint report --format pprof -o bad.pprof`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.HasPrefix(format, "pprof") && out == "" {
				return usagef("a profile is no text: name a file for it with -o")
			}
			write, err := readReport(args, format)
			if err != nil {
				return err
			}
			if out != "" {
				return output.Save(out, func(w io.Writer) error {
					if format == "text" { // which will be shown as it is, too
						w = outside.NewTerminal(w)
					}
					return write(w)
				})
			}
			return write(cmd.OutOrStdout())
		},
	}
	fs := cmd.Flags()
	choiceFlag(fs, &format, "format", "text", "the `form`: ", report.FormatNames())
	fs.StringVarP(&out, "out", "o", "", "write to this `file` instead of standard output")
	return cmd
}

// mostReport is how long a report may be, in bytes: it holds all samples.
const mostReport = 512 << 20

// readReport reads the file that is named, or the last one, for what draws it in a format.
func readReport(args []string, format string) (draw func(io.Writer) error, err error) {
	var name string
	if len(args) > 0 {
		name = args[0]
	} else {
		last, err := lastReport()
		if err != nil {
			return nil, err
		}
		name = last
	}
	read := outside.Named
	if len(args) == 0 {
		read = outside.File // no pipe that somebody put there
	}
	data, err := read(name, mostReport)
	if errors.Is(err, fs.ErrNotExist) && len(args) == 0 {
		return nil, errors.New("there is no last report: give a file that --json wrote")
	}
	if err != nil {
		return nil, err
	}
	if h, ok, err := doctor.Read(data); ok {
		return drawHealth(h, format), err
	}
	file, err := report.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return func(w io.Writer) error { return file.Write(w, format) }, nil
}

// drawHealth draws what doctor --json wrote.
func drawHealth(h *doctor.Health, format string) func(io.Writer) error {
	if format == "json" {
		return h.WriteJSON
	}
	return func(w io.Writer) error {
		var printed strings.Builder
		if err := h.WriteText(&printed); err != nil {
			return err
		}
		sheet := &report.Sheet{Job: "doctor", Finding: "what this host can resolve", Printed: printed.String()}
		return (&report.File{Sheet: sheet}).Write(w, format)
	}
}

// lastReport is the file that the last report is kept in.
func lastReport() (string, error) {
	dir, err := backup.CacheDir()
	return filepath.Join(dir, "last.json"), err
}

// keep puts a report where pinpoint report finds it. One that can't be kept is no
// reason to fail: it is printed all the same.
func keep(stderr io.Writer, write func(io.Writer) error) {
	name, err := lastReport()
	if err == nil {
		_, err = cache.Dir(filepath.Dir(name))
	}
	if err == nil {
		err = output.Private(name, write)
	}
	if err != nil {
		fmt.Fprintf(stderr, "pinpoint: not kept for pinpoint report: %v\n", err)
	}
}
