package bisect

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

func TestBrokenCommitsAreGonePast(t *testing.T) {
	for _, c := range []struct {
		name        string
		from, to    int // broken
		culprit     int
		first       string
		oneOf       []string
		mostSampled int // besides the end
	}{
		{name: "one in the middle", from: 31, to: 31, culprit: 50, first: "c50", mostSampled: 7},
		{name: "a stretch in the middle", from: 20, to: 44, culprit: 50, first: "c50", mostSampled: 8},
		{name: "just before", from: 39, to: 39, culprit: 40, oneOf: []string{"c39", "c40"}, mostSampled: 8},
		{name: "the culprit itself", from: 40, to: 41, culprit: 40, oneOf: []string{"c40", "c41", "c42"}, mostSampled: 8},
		{name: "all but the last", from: 0, to: 62, culprit: 63, oneOf: names(0, 63), mostSampled: 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := line(64, 1, 0.02, jump(c.culprit, 3))
			for i := c.from; i <= c.to; i++ {
				w.broken[name(i)] = true
			}
			r := w.find(t)
			if r.First != c.first || !slices.Equal(r.OneOf, c.oneOf) {
				t.Errorf("found %q, one of %q (%s), want %q, one of %q", r.First, r.OneOf, r.Why, c.first, c.oneOf)
			}
			if n := len(w.sampled) - 1; n > c.mostSampled {
				t.Errorf("%d commits were sampled, want %d at most", n, c.mostSampled)
			}
		})
	}
}

func names(from, to int) []string {
	var list []string
	for i := from; i <= to; i++ {
		list = append(list, name(i))
	}
	return list
}

func TestLevelsThatAreNoJump(t *testing.T) {
	for _, c := range []struct {
		name  string
		level func(i int) float64
		from  int // of the possible answers
		to    int
	}{
		{"a drift of ten small steps", func(i int) float64 { return 1 + 0.1*float64(i/6) }, 24, 42},
		{"an improvement in between", func(i int) float64 {
			switch {
			case i < 20:
				return 1
			case i < 40:
				return 0.6
			}
			return 1.5
		}, 40, 40},
		{"slow, mended and slow again", func(i int) float64 {
			if i >= 10 && i < 20 || i >= 50 {
				return 2
			}
			return 1
		}, 10, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(50) {
				w := line(64, seed, 0.02, c.level)
				r := w.find(t)
				if r.First == "" && len(r.OneOf) == 0 {
					t.Fatalf("seed %d: no answer: %s", seed, r.Why)
				}
				for _, commit := range append(r.OneOf, r.First) {
					i := slices.Index(names(0, 63), commit)
					if commit != "" && (i < c.from || i > c.to) {
						t.Errorf("seed %d: named %s", seed, commit)
					}
					if r.First == commit && commit != "" && c.level(i) <= c.level(i-1) {
						t.Errorf("seed %d: %s is no slower than the one before it", seed, commit)
					}
				}
			}
		})
	}
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		bad  float64
		want stats.Verdict
	}{
		{"slower", 2, stats.Slower},
		{"swapped", 0.5, stats.Faster},
		{"equal", 1, stats.Same},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := line(8, 1, 0.01, jump(4, c.bad))
			cfg := w.config(t)
			cfg.MinEffect = 0.2
			r, err := Find(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if r.Ends.Verdict != c.want {
				t.Errorf("the ends are %v, want %v", r.Ends.Verdict, c.want)
			}
			if c.want != stats.Slower && (r.First != "" || r.OneOf != nil || r.Why != "" || len(r.Steps) != 1) {
				t.Errorf("searched between such ends: %+v", r)
			}
		})
	}
}

func TestEndThatCantBeTestedEndsTheSearch(t *testing.T) {
	w := line(8, 1, 0.01, jump(4, 2))
	w.broken["c07"] = true
	_, err := Find(t.Context(), w.config(t))
	if _, ok := errors.AsType[*Untestable](err); !ok {
		t.Errorf("error %v, want the end's *Untestable", err)
	}
}

func TestBases(t *testing.T) {
	for _, c := range []struct {
		name  string
		level float64
		first string
		why   string
	}{
		{"fast", 1, "c05", ""},
		{"slow already", 2, "", "something on the way to good made good fast"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := line(8, 1, 0.02, jump(5, 2))
			w.level["base"] = c.level
			cfg := w.config(t)
			cfg.Bases = []string{"base"}
			r, err := Find(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if r.First != c.first || !strings.Contains(r.Why, c.why) {
				t.Errorf("found %q (%s), want %q (%s)", r.First, r.Why, c.first, c.why)
			}
		})
	}
}

// TestMerges searches random histories with merges.
func TestMerges(t *testing.T) {
	for seed := range uint64(200) {
		w, culprit := tangle(40, seed)
		r := w.find(t)
		if r.First != culprit {
			t.Errorf("seed %d: found %q (one of %q, %s), want %s", seed, r.First, r.OneOf, r.Why, culprit)
		}
	}
}

// tangle is a history in which every third commit is a merge. What comes from the
// culprit is slow. The last commit comes from all others.
func tangle(n int, seed uint64) (w *world, culprit string) {
	w = line(n, seed, 0.02, jump(n, 1))
	r := rand.New(rand.NewPCG(seed, 1))
	at := r.IntN(n)
	heads := map[string]bool{}
	for i := range w.commits {
		c := &w.commits[i]
		c.Parents = []string{"good"}
		if i > 0 {
			c.Parents = []string{name(max(0, i-1-r.IntN(4)))}
		}
		if i > 3 && r.IntN(3) == 0 {
			c.Parents = append(c.Parents, name(r.IntN(i)))
		}
		if i == n-1 {
			c.Parents = slices.Sorted(func(yield func(string) bool) {
				for h := range heads {
					if !yield(h) {
						return
					}
				}
			})
		}
		for _, p := range c.Parents {
			delete(heads, p)
			if w.level[p] == 2 {
				w.level[c.Hash] = 2
			}
		}
		if i == at {
			w.level[c.Hash] = 2
		}
		heads[c.Hash] = true
	}
	return w, name(at)
}

func TestPassiveCommitsAreNotTested(t *testing.T) {
	w := line(32, 1, 0.02, jump(20, 2))
	for i := range w.commits {
		w.commits[i].Passive = i%5 != 0
	}
	r := w.find(t) // the end is passive, too
	if r.First != "c20" {
		t.Errorf("found %q (one of %q, %s), want c20", r.First, r.OneOf, r.Why)
	}
	for commit := range w.sampled {
		if commit != "c31" && !slices.Contains([]string{"c00", "c05", "c10", "c15", "c20", "c25", "c30"}, commit) {
			t.Errorf("%s was tested", commit)
		}
	}
	w = line(32, 1, 0.02, jump(31, 2))
	for i := range w.commits {
		w.commits[i].Passive = i%5 != 0
	}
	if r := w.find(t); r.First != "" || r.Why == "" {
		t.Errorf("found %q where no commit that counts is slow", r.First)
	}
}

// TestResumedSearchGoesOn interrupts a search after every one of its samples and
// goes on with what it saved: nothing is sampled twice, and the answer is the same.
func TestResumedSearchGoesOn(t *testing.T) {
	full := line(64, 3, 0.05, jump(41, 2))
	full.erratic["c40"] = [2]float64{1, 3}
	full.broken["c31"] = true
	want := full.find(t)
	if want.First != "c41" {
		t.Fatalf("found %q", want.First)
	}
	interrupted := errors.New("interrupted")
	for stop := 0; ; stop++ {
		w := line(64, 3, 0.05, jump(41, 2))
		w.erratic, w.broken = full.erratic, full.broken
		saved := make(map[key]Step)
		cfg := w.config(t)
		calls := 0
		cfg.Sample = func(ctx context.Context, commit string, n int) (Samples, error) {
			if calls++; calls == stop+1 {
				half, _ := w.sample(ctx, commit, n/2)
				return half, interrupted
			}
			return w.sample(ctx, commit, n)
		}
		cfg.Save = func(s Step) error { saved[key{s.Commit, s.Stage, s.Round}] = s; return nil }
		cut, err := Find(t.Context(), cfg)
		if err == nil {
			break // it ran to its end
		}
		if cut.Left < 1 || cut.Left > 64 || stop == 0 && cut.Left != 64 || cut.First != "" {
			t.Errorf("interrupted at sample %d: %d commits are left, first %q", stop, cut.Left, cut.First)
		}
		if !errors.Is(err, interrupted) {
			t.Fatal(err)
		}
		for _, s := range saved {
			cfg.Known = append(cfg.Known, s)
		}
		r, err := Find(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if r.First != want.First || !slices.EqualFunc(r.Marks, want.Marks, func(a, b Step) bool { return a.Commit == b.Commit && a.Mark == b.Mark }) {
			t.Errorf("interrupted at sample %d: found %q, want %q", stop, r.First, want.First)
		}
		if !reflect.DeepEqual(w.sampled, full.sampled) && stop > 0 {
			// The machine's noise is drawn in another order, so that numbers may differ a
			// little, but not by a whole search.
			if a, b := total(w.sampled), total(full.sampled); a > b*3/2 {
				t.Errorf("interrupted at sample %d: %d pairs in all, %d without the interruption", stop, a, b)
			}
		}
	}
}

func total(m map[string]int) (sum int) {
	for _, n := range m {
		sum += n
	}
	return sum
}

// TestAheadNamesWhatComesNext holds what the search said would come next against
// what it took.
func TestAheadNamesWhatComesNext(t *testing.T) {
	w := line(64, 1, 0.02, jump(23, 2))
	var told []string
	cfg := w.config(t)
	var order []string
	cfg.Ahead = func(_ context.Context, commits []string) {
		if len(told) > 0 && !slices.Contains(told[1:], commits[0]) {
			t.Errorf("%s comes next, %v were told of", commits[0], told)
		}
		told = commits
	}
	cfg.Sample = func(ctx context.Context, commit string, n int) (Samples, error) {
		order = append(order, commit)
		return w.sample(ctx, commit, n)
	}
	if _, err := Find(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if len(told) == 0 || !slices.Contains(order, told[0]) {
		t.Errorf("told of %v, sampled %v", told, order)
	}
}

func TestOneDecidesByItself(t *testing.T) {
	w := line(16, 1, 0.02, jump(9, 2))
	w.erratic["c04"] = [2]float64{1, 2}
	w.broken["c05"] = true
	cfg := w.config(t)
	cfg.Save = func(step Step) error {
		same := func(k Step) bool { return k.Commit == step.Commit && k.Stage == step.Stage }
		if i := slices.IndexFunc(cfg.Known, same); i >= 0 {
			cfg.Known[i] = step
		} else {
			cfg.Known = append(cfg.Known, step)
		}
		return nil
	}
	commits := []string{"c08", "c09", "c04", "c05"}
	marks := map[string]Mark{"c08": Good, "c09": Bad, "c04": Erratic, "c05": Skip}
	ask := func(commit string) {
		known := cfg
		known.Known = slices.Clone(cfg.Known)
		r, step, err := One(t.Context(), known, commit)
		if err != nil {
			t.Fatal(err)
		}
		if step.Mark != marks[commit] {
			t.Errorf("%s is %s (%s), want %s", commit, step.Mark, step.Reason, marks[commit])
		}
		if r.Spent > cfg.Alpha {
			t.Errorf("spent %v of %v", r.Spent, cfg.Alpha)
		}
	}
	var ends int
	for i, commit := range commits {
		ask(commit)
		if n := w.sampled["c15"]; i == 0 {
			ends = n
		} else if n > ends {
			t.Errorf("the end's %d samples were not kept, there are %d now", ends, n)
		}
	}
	// What was decided stays so, however much was decided since.
	before := total(w.sampled)
	for range 20 {
		cfg.Known = append(cfg.Known, Step{Commit: "other", Stage: StageConfirm, Mark: Good})
	}
	for _, commit := range commits {
		ask(commit)
	}
	if after := total(w.sampled); after != before {
		t.Errorf("asked again, %d pairs more were run", after-before)
	}
}
