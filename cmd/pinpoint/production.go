package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
	"github.com/pinpoint-go/pinpoint/profiles"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/workload"
)

// profileFlags are two profiles of the program.
type profileFlags struct {
	files change.Pair[string]
	focus *regexp.Regexp
}

func (f *profileFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.files.Good, "profile-good", "", "CPU profile of the program as it was, a `file` of runtime/pprof, Pyroscope or Parca")
	fs.StringVar(&f.files.Bad, "profile-bad", "", "the same of the slow program: workloads are chosen that run what takes\nmore of its time than before")
	fs.Func("profile-focus", "only samples with a label, key:value, that this `regexp` matches", func(text string) (err error) {
		f.focus, err = regexp.Compile(text)
		return err
	})
}

func (f *profileFlags) given() bool { return f.files.Good != "" || f.files.Bad != "" }

// measuredSuspects is how many suspects are looked for in workloads, and listedSuspects how
// many are told of.
const (
	measuredSuspects = 5
	listedSuspects   = 10
)

// findGrown hunts from two profiles of the program.
func (f *findFlags) findGrown(cmd *cobra.Command, opts hunt.Options, status *int) error {
	end := time.Now().Add(opts.Budget)
	read := func(name string) (*profiles.Profile, error) { return profiles.Read(name, f.profiles.focus) }
	var both change.Pair[*profiles.Profile]
	var err error
	if both.Good, err = read(f.profiles.files.Good); err != nil {
		return fmt.Errorf("--profile-good %w", err)
	}
	if both.Bad, err = read(f.profiles.files.Bad); err != nil {
		return fmt.Errorf("--profile-bad %w", err)
	}
	s, was, err := f.openBoth(cmd)
	if err != nil {
		return err
	}
	defer s.Close()
	suspects, err := suspectsOf(both, was, s.Declared(), opts.Alpha)
	if err != nil {
		return err
	}
	j, err := f.huntSuspects(cmd, opts, s, suspects, end)
	if err != nil {
		return err
	}
	*status = j.ExitStatus()
	keep(cmd.ErrOrStderr(), j.WriteJSON)
	return f.print(cmd, j)
}

// openBoth opens bad for workloads to be looked for, and gives the functions of good.
func (f *findFlags) openBoth(cmd *cobra.Command) (bad *workload.Search, good map[string]workload.Declared, err error) {
	p := newProgress(cmd.ErrOrStderr())
	p.unit = "workload"
	look := f.search()
	look.Progress = p.show
	look.Rev = f.hunt.Good
	g, err := workload.Open(cmd.Context(), look)
	if err != nil {
		return nil, nil, err
	}
	good = g.Declared()
	g.Close()
	look.Rev = f.hunt.Bad
	bad, err = workload.Open(cmd.Context(), look)
	return bad, good, err
}

// suspectsOf are the functions of the module whose share grew: first those whose code
// changed, then the most grown.
func suspectsOf(p change.Pair[*profiles.Profile], good, bad map[string]workload.Declared, alpha float64) ([]report.Suspect, error) {
	ours := 0
	grown, err := profiles.Compare(p, func(name string) bool {
		now, ok := bad[workload.Outer(name)]
		if ok && (name != "main.main" || p.Bad.Own[name] > 0) { // any program has one
			ours++
		}
		return now.Name != "" // of several programs' main it is not known whose it is
	}, cmp.Or(alpha, setup.DefaultAlpha))
	if err != nil {
		return nil, err
	}
	if ours == 0 {
		return nil, fmt.Errorf("no sample of the profiles is in a function of the module: are they of a program that links it?")
	}
	var list []report.Suspect
	for _, g := range grown {
		outer := workload.Outer(g.Function)
		now, then := bad[outer], good[outer]
		s := report.Suspect{
			Function: now.Name + g.Function[len(outer):], Changed: now.Code != then.Code, Own: g.IsOwn,
			Measured: report.SuspectLeft,
		}
		of := g.All
		if g.IsOwn {
			of = g.Own
		}
		s.Good, s.Bad = report.Interval(of.Good), report.Interval(of.Bad)
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b report.Suspect) int { return order(a) - order(b) })
	return list[:min(len(list), listedSuspects)], nil
}

// order puts what changed first, and what takes time itself before what calls it.
func order(s report.Suspect) int {
	n := 0
	if !s.Changed {
		n += 2
	}
	if !s.Own {
		n++
	}
	return n
}

// huntSuspects hunts in the workloads that run the suspects, until the first few are looked
// for or the time is up. What changed is; where nothing that grew did, what grew most.
func (f *findFlags) huntSuspects(cmd *cobra.Command, opts hunt.Options, s *workload.Search, suspects []report.Suspect, end time.Time) (*report.Joint, error) {
	changed := slices.ContainsFunc(suspects, func(s report.Suspect) bool { return s.Changed })
	hunted := make(map[string]*report.Report) // by package and pattern
	var reports []*report.Report
	var notes []string
	for i := range min(len(suspects), measuredSuspects) {
		x := &suspects[i]
		if changed && !x.Changed || time.Now().After(end) {
			continue
		}
		choice, err := s.Choose(cmd.Context(), x.Function)
		if cmd.Context().Err() != nil {
			return nil, err
		}
		if err != nil || len(choice.Ran) == 0 {
			x.Measured = report.SuspectUnmeasured
			continue
		}
		run := choice.Ran[0]
		x.Workload = run.String()
		r, ok := hunted[run.Dir+" "+run.Pattern]
		if !ok {
			opts.Budget = time.Until(end)
			if r, err = f.huntIn(cmd, opts, choice, 0); cmd.Context().Err() != nil {
				return nil, err
			}
			if err != nil {
				notes = append(notes, fmt.Sprintf("the hunt in %s failed: %v", run, err))
			}
			if r != nil && r.Whole != nil {
				reports = append(reports, r)
			}
			hunted[run.Dir+" "+run.Pattern] = r
		}
		x.Measured = report.SuspectUndecided
		if r != nil && r.Whole != nil {
			x.Measured, x.Culprit = r.JudgeSuspect(x.Function)
		}
	}
	j := report.Join(reports)
	j.Suspects, j.Warnings = suspects, append(j.Warnings, notes...)
	switch {
	case len(suspects) == 0:
		j.Verdict = report.NoRegression
		j.Warnings = append(j.Warnings, "no function of the module takes a larger share of the program's time than sampling explains")
	case len(reports) == 0:
		j.Verdict = report.Inconclusive
	}
	return j, nil
}
