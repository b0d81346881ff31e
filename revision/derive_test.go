package revision

import (
	"errors"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
)

// unlike has only sources of its own: another benchmark, and none of work1.
const unlike = `
-- p_test.go --
package p

import "testing"

func BenchmarkOther(b *testing.B) { Work() }
`

func TestDerive(t *testing.T) {
	t.Parallel()
	dir, commits := history(t, first+third, second, unlike)
	ctx, spec := t.Context(), Spec{Dir: dir, Workload: work1, CacheDir: t.TempDir()}
	s, err := OpenPair(ctx, spec, change.Pair[string]{Good: commits[0], Bad: commits[1]})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if label, files := s.Carried(); label != "" || len(files) > 0 {
		t.Errorf("carried %v to %q", files, label)
	}
	bin, err := s.Pair().Bad.Build(ctx, Build{})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("with", func(t *testing.T) {
		same, err := s.With(other)
		if err != nil {
			t.Fatal(err)
		}
		again, err := same.Pair().Bad.Build(ctx, Build{})
		if err != nil || again.Path != bin.Path || len(same.Commands()) != 1 {
			t.Errorf("another workload has builds of its own: %s and %s, %v", again.Path, bin.Path, err)
		}
		ordered, err := same.Pair().Bad.Build(ctx, Build{Layout: 3})
		if err != nil || len(s.Commands()) != 1 {
			t.Errorf("its own build is told of elsewhere: %q, %v", s.Commands(), err)
		}
		same.Close()
		if exists(ordered.Path) || !exists(bin.Path) {
			t.Errorf("after closing, its own binary is there: %v; the shared one: %v", exists(ordered.Path), exists(bin.Path))
		}
		_, err = s.With(harness.Workload{Kind: harness.Bench, Pattern: "^BenchmarkNone$"})
		lacks(t, err, LackingError{What: "benchmark", Name: "^BenchmarkNone$", Where: "."})
	})
	t.Run("in", func(t *testing.T) {
		sub, err := s.In(ctx, "./sub", harness.Workload{Kind: harness.Bench, Pattern: "^BenchmarkSub$"})
		if err != nil {
			t.Fatal(err)
		}
		if sub.Pair().Bad.Dir != s.Pair().Bad.Dir {
			t.Error("it has trees of its own")
		}
		bin, err := sub.Pair().Bad.Build(ctx, Build{})
		if err != nil || bin.Package != "example.com/m/sub" {
			t.Errorf("built %s: %v", bin.Package, err)
		}
		if sub.Close(); exists(bin.Path) {
			t.Error("after closing, its binary is there")
		}
		_, err = s.In(ctx, "./none", work1)
		lacks(t, err, LackingError{Label: "good", What: "directory", Name: "./none", Where: "./none"})
	})
	t.Run("at", func(t *testing.T) {
		if r, err := s.At(ctx, commits[1]); err != nil || r != s.Pair().Bad {
			t.Errorf("bad's commit is not bad: %+v, %v", r, err)
		}
		_, err := s.At(ctx, commits[2])
		lacks(t, err, LackingError{Label: commits[2][:10], What: "benchmark", Name: "^BenchmarkWork$", Where: "."})
	})
	t.Run("between", func(t *testing.T) {
		sub, err := s.With(other)
		if err != nil {
			t.Fatal(err)
		}
		defer sub.Close()
		r, err := sub.At(ctx, commits[2])
		if err != nil {
			t.Fatal(err)
		}
		built, err := r.Build(ctx, Build{})
		if err != nil || built.Label != commits[2][:10] {
			t.Errorf("built %q: %v", built.Label, err)
		}
		if same, err := sub.At(ctx, commits[2]); err != nil || same != r {
			t.Errorf("a commit is opened twice: %v", err)
		}
		pair, err := sub.Between(sub.Pair().Bad, r)
		if err != nil {
			t.Fatal(err)
		}
		bins, err := pair.BuildPair(ctx, change.Pair[Build]{})
		if err != nil || bins.Good.Path != bin.Path || bins.Good.Label != "good" || bins.Bad.Path != built.Path || bins.Bad.Label != "bad" {
			t.Errorf("built again: %+v: %v", bins, err)
		}
		itself, err := sub.Between(r, r)
		if err != nil {
			t.Fatal(err)
		}
		if bins, err := itself.BuildPair(ctx, change.Pair[Build]{}); err != nil || bins.Good.Path == bins.Bad.Path {
			t.Errorf("a commit and itself share a binary: %v", err)
		}
	})
}

// TestAtCarries has a benchmark that only bad has: commits between get it too.
func TestAtCarries(t *testing.T) {
	t.Parallel()
	dir, commits := history(t, first, second, third)
	s, err := OpenPair(t.Context(), Spec{Dir: dir, Workload: work1, CacheDir: t.TempDir()}, ends(commits))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := s.At(t.Context(), commits[1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Build(t.Context(), Build{}); err != nil || len(r.Added()) != 1 {
		t.Errorf("added %v: %v", r.Added(), err)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	dir, commits := history(t, first+third)
	ctx, spec := t.Context(), Spec{Dir: dir, CacheDir: t.TempDir()}
	s, err := Open(ctx, spec, "HEAD", "HEAD", "HEAD~0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var labels []string
	for _, r := range s.All() {
		labels = append(labels, r.Label)
		if r.Commit != commits[0] || r.Name != r.Label {
			t.Errorf("opened %+v", r.Tree)
		}
	}
	if got := strings.Join(labels, " "); got != "HEAD HEAD#2 HEAD~0" {
		t.Errorf("labels %s", got)
	}
	_, err = Open(ctx, Spec{Dir: dir, CacheDir: spec.CacheDir, Package: "./none"}, "HEAD~0")
	lacks(t, err, LackingError{Label: "HEAD~0", What: "directory", Name: "./none", Where: "./none"})
	if _, err = Open(ctx, spec, "missing"); err == nil || !strings.HasPrefix(err.Error(), "--rev: ") {
		t.Errorf("a revision that isn't there: %v", err)
	}
	if _, err = OpenPair(ctx, spec, change.Pair[string]{Good: "HEAD", Bad: "missing"}); err == nil || !strings.HasPrefix(err.Error(), "--bad: ") {
		t.Errorf("a bad revision that isn't there: %v", err)
	}
	_, err = OpenPair(ctx, Spec{Dir: dir, CacheDir: spec.CacheDir, Workload: harness.Workload{Kind: harness.Main}, Driver: "x_test.go"},
		change.Pair[string]{Good: "HEAD", Bad: "HEAD"})
	if err == nil || !strings.Contains(err.Error(), "not with --main") {
		t.Errorf("a driver of a program: %v", err)
	}
}

// lacks checks that an error tells of what a revision lacks.
func lacks(t *testing.T, err error, want LackingError) {
	t.Helper()
	var lacking *LackingError
	if !errors.As(err, &lacking) || *lacking != want {
		t.Errorf("got %v, want %v", err, &want)
	}
}
