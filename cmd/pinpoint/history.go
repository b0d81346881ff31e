package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/figure"
	"github.com/pinpoint-go/pinpoint/history"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/measure"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// historyFlags are the flags of the history commands.
type historyFlags struct {
	dir, store string
	rule       history.Rule
	figureFlags
	drawn string // unit
	json  string // file
}

func historyCommand(status *int) *cobra.Command {
	f := &historyFlags{}
	cmd := &cobra.Command{
		Use:   "history",
		Short: "keep accepted results, and hold new ones against them",
		Long: `History keeps accepted results as files in Go's benchmark format, in a directory
that can be committed with the code:

  pinpoint measure --rev HEAD --bench Encode -o new.txt
  pinpoint history check new.txt
  pinpoint history add new.txt

Check holds a result against the last accepted ones of the same package and the
same kind of host: an analysis of variance, or for a single one the interval of
the difference. Its exit status is that of compare. Accept adds a result if
check finds nothing worse. Of a file that measure --pkg ./... wrote, each
package is held against its own.

Results that were measured on different days differ by what the machine was like
on those days. Compare, which measures revisions in turns, does not.`,
	}
	fs := cmd.PersistentFlags()
	fs.StringVar(&f.store, "dir", history.DefaultDir, "`directory` of the accepted results, relative to -C")
	dirFlag(fs, &f.dir)
	cmd.AddCommand(f.addCommand(), f.checkCommand(status, "check", "hold a result against the accepted ones", false),
		f.checkCommand(status, "accept", "add a result if nothing in it is worse", true), f.listCommand())
	return cmd
}

func (f *historyFlags) open() history.Store {
	if filepath.IsAbs(f.store) {
		return history.Store{Dir: f.store}
	}
	return history.Store{Dir: filepath.Join(f.dir, f.store)}
}

func (f *historyFlags) addCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "add FILE...",
		Short:   "accept results, whatever they say",
		Example: `  pinpoint history add new.txt`,
		Args:    files,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if err := f.add(cmd.OutOrStdout(), name); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (f *historyFlags) add(w io.Writer, name string) error {
	path, err := f.open().Add(name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "accepted as %s\n", path)
	return err
}

func files(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("a file is needed, as pinpoint measure -o writes it")
	}
	return nil
}

func (f *historyFlags) checkCommand(status *int, name, short string, accept bool) *cobra.Command {
	cmd := &cobra.Command{
		Use:     name + " FILE",
		Short:   short,
		Example: "  pinpoint history " + name + " new.txt --last 3",
		Args:    files,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("history %s takes one file", name)
			}
			return f.check(cmd.OutOrStdout(), args[0], accept, status)
		},
	}
	fs, r := cmd.Flags(), &f.rule
	fs.IntVar(&r.Last, "last", 5, "`number` of accepted results that count, the newest")
	ruleFlags(fs, &r.Alpha, &r.MinEffect)
	shareFlag(fs, &r.Resolution, "resolution", 0.10, "a difference of this `share` must be visible for \"the same\" to be said")
	fs.BoolVar(&r.AnyHost, "any-host", false, "compare with results of other kinds of host, too")
	fs.StringVar(&f.drawn, "draw", "ns/op", "the `unit` of the quantity that --plot and --gnuplot show")
	sheetFlag(fs, &f.json)
	f.registerFigure(fs)
	return cmd
}

// check prints what a check says, and with accept keeps the result if nothing in
// it is worse. A first result has nothing to be worse than.
func (f *historyFlags) check(w io.Writer, name string, accept bool, status *int) error {
	if f.rule.Last < 1 {
		return usagef("--last %d: give at least 1", f.rule.Last)
	}
	if err := f.figureFlags.check(f.json); err != nil {
		return err
	}
	fresh, err := history.ReadFile(name)
	if err != nil {
		return err
	}
	accepted, err := f.open().Entries()
	if err != nil {
		return err
	}
	c, err := f.rule.Check(accepted, fresh)
	if err != nil {
		return err
	}
	sheet := checkSheet(c)
	if err := sheet.WriteText(w); err != nil {
		return err
	}
	if f.json != "" {
		if err := output.Save(f.json, sheet.WriteJSON); err != nil {
			return err
		}
	}
	if err := f.saveFigure(func() figure.Figure { return checkFigure(c, fresh, f.drawn) }); err != nil {
		return err
	}
	*status = checkStatus(c)
	if !accept || *status == 1 {
		return nil
	}
	*status = 0
	return f.add(w, name)
}

// checkStatus is 1 if anything is worse, 3 if anything could not be decided.
func checkStatus(c history.Check) int {
	status := 0
	for _, finding := range c.Findings {
		switch finding.Verdict {
		case stats.Slower:
			return 1
		case stats.Unknown:
			status = 3
		}
	}
	return status
}

var judgements = map[stats.Verdict]report.Judgement{
	stats.Unknown: report.JudgedNot, stats.Same: report.JudgedSame, stats.Slower: report.JudgedWorse, stats.Faster: report.JudgedBetter,
}

// checkSheet is a check as it is shown and saved.
func checkSheet(c history.Check) *report.Sheet {
	s := &report.Sheet{Job: "history check", Notes: c.Notes, Printed: checkText(c)}
	worse, open := 0, 0
	for _, f := range c.Findings {
		row := report.SheetRow{
			Package: f.Package, Name: f.Name, Unit: f.Unit, Mean: f.New.Mean, Shown: measure.Quantity(f.New.Mean, f.Unit),
			Judgement: judgements[f.Verdict], Why: f.Why, Against: f.Against,
		}
		if iv := f.New.Interval(measure.Confidence); !math.IsInf(iv.High, 0) {
			row.Interval, row.Confidence = (*report.Interval)(&iv), measure.Confidence
		}
		if f.Against > 0 && f.Ratio.Mean != 0 {
			row.Ratio = &report.Interval{Mean: f.Ratio.Mean, Low: f.Ratio.Low, High: f.Ratio.High}
		}
		switch f.Verdict {
		case stats.Slower:
			worse++
		case stats.Unknown:
			open++
		}
		s.Rows = append(s.Rows, row)
	}
	s.Finding = fmt.Sprintf("of %s, %d worse than accepted, and %d not decided", text.Plural(len(c.Findings), "value"), worse, open)
	return s
}

func checkText(c history.Check) string {
	var b strings.Builder
	several := slices.ContainsFunc(c.Findings, func(f history.Finding) bool { return f.Package != c.Findings[0].Package })
	for i, finding := range c.Findings {
		if several && (i == 0 || finding.Package != c.Findings[i-1].Package) {
			fmt.Fprintf(&b, "%s\n", finding.Package)
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", finding.Name, measure.Quantity(finding.New.Mean, finding.Unit), judgements[finding.Verdict])
		detail := finding.Why
		if finding.Against > 0 && finding.Ratio.Mean != 0 {
			detail = text.Change(finding.Ratio.Mean, finding.Ratio.Low, finding.Ratio.High) + "; " + detail
		}
		b.WriteString(text.Hang("  ", detail))
		if v := finding.ANOVA; v != nil {
			fmt.Fprintf(&b, "  analysis of variance of %d results: F(%d; %d) = %.4g, p = %.2g\n", finding.Against+1, v.Between, v.Error, v.F, v.P)
		}
	}
	for _, note := range c.Notes {
		b.WriteString(text.Fold("", "  ", "note: "+note))
	}
	return b.String()
}

// checkFigure draws one quantity: for each benchmark the accepted results in
// their order, then the new one, with 95 % intervals.
func checkFigure(c history.Check, fresh []history.Entry, unit string) figure.Figure {
	title := fresh[0].Package
	if len(fresh) > 1 {
		title = text.Plural(len(fresh), "package")
	}
	f := figure.Figure{Title: "history of " + title, X: "accepted results, then the new one", Y: unit}
	most := 0
	for _, finding := range c.Findings {
		if finding.Unit == unit {
			most = max(most, finding.Against)
		}
	}
	for i := range most {
		f.Names = append(f.Names, fmt.Sprint(i-most))
	}
	f.Names = append(f.Names, "new")
	for _, finding := range c.Findings {
		if finding.Unit != unit {
			continue
		}
		s := figure.Series{Name: finding.Name}
		if len(fresh) > 1 {
			s.Name = finding.Package + " " + s.Name
		}
		for i, old := range append(finding.Old[:len(finding.Old):len(finding.Old)], finding.New) {
			iv := old.Interval(measure.Confidence)
			s.Points = append(s.Points, figure.Point{X: float64(most - finding.Against + i), Mean: iv.Mean, Low: iv.Low, High: iv.High})
		}
		f.Series = append(f.Series, s)
	}
	return f
}

func (f *historyFlags) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "list the accepted results, the oldest first",
		Example: `  pinpoint history list`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			entries, err := f.open().Entries()
			if err != nil {
				return err
			}
			for _, e := range entries {
				fmt.Fprintf(cmd.OutOrStdout(), "%-20s  %-12.12s  host %-12.12s  %-10s  %s (%d)\n",
					e.Date, e.Commit, e.Host, e.Toolchain, e.Package, len(e.Keys))
			}
			return nil
		},
	}
}
