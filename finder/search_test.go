package finder

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

var twoCalls = Layer{Name: "f", Calls: []Call{{Name: "a"}, {Name: "b"}}}

func TestRunRefuses(t *testing.T) {
	broken := errors.New("no such file")
	for _, test := range []struct {
		name string
		s    Search
		want string
	}{
		{"nothing to measure with", Search{}, "searching f: nothing to measure with"},
		{"failing first comparison", Search{Measure: func(context.Context, Layer, Region, []Region) (Reading, error) {
			return Reading{}, broken
		}}, "measuring [0,2) of f: no such file"},
		{"too few parts", Search{Measure: func(context.Context, Layer, Region, []Region) (Reading, error) {
			return Reading{}, nil
		}}, "measuring [0,2) of f: got 0 parts, asked for 2"},
	} {
		if _, err := test.s.Run(context.Background(), twoCalls); err == nil || err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
	}
}

func TestDigFails(t *testing.T) {
	s := Search{Measure: exact(1), Dig: func(context.Context, Layer, int) (*Layer, Stop, error) {
		return nil, StopNone, errors.New("does not compile")
	}}
	r, err := s.Run(context.Background(), twoCalls)
	if err != nil || r.Err == nil || r.Err.Error() != "digging b of f: does not compile" {
		t.Fatalf("errors %v and %v", err, r.Err)
	}
	if r.Verdict != stats.Slower || len(r.Culprits) != 1 || r.Culprits[0].Confirmed || r.Culprits[0].Stop != StopFailed {
		t.Errorf("got %+v, want b unconfirmed", r)
	}
}

// Cancelling keeps what was found; nothing is measured after it.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	measured := 0
	s := Search{Measure: func(ctx context.Context, l Layer, on Region, parts []Region) (Reading, error) {
		if err := ctx.Err(); err != nil {
			return Reading{}, err
		}
		measured++
		cancel()
		return exact(5)(ctx, l, on, parts)
	}}
	root := Layer{Name: "f", Calls: make([]Call, 8)}
	r, err := s.Run(ctx, root)
	if err != nil || !errors.Is(r.Err, context.Canceled) || measured != 1 {
		t.Fatalf("errors %v and %v after %d comparisons", err, r.Err, measured)
	}
	if len(r.Culprits) != 1 || r.Culprits[0].Kind != Range || r.Culprits[0].Last().Region != (Region{4, 8}) {
		t.Errorf("got %+v, want the half that was guilty", r.Culprits)
	}
}

// Confirming must not use the narrowing's processes where the caller keeps
// them apart, and must switch on nothing but the culprit.
func TestConfirmAlone(t *testing.T) {
	var asked []string
	s := Search{
		Narrow:  Sweep,
		Measure: exact(1),
		Confirm: func(ctx context.Context, l Layer, on Region, parts []Region) (Reading, error) {
			asked = append(asked, on.String())
			for _, p := range parts {
				asked = append(asked, p.String())
			}
			return exact(1)(ctx, l, on, parts)
		},
	}
	if _, err := s.Run(context.Background(), twoCalls); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(asked, " "); got != "[1,2) [1,2)" {
		t.Errorf("confirming measured %s, want [1,2) alone", got)
	}
}

// A confirmation that contradicts itself accuses nobody.
func TestConfirmConflict(t *testing.T) {
	for _, whole := range []stats.Verdict{stats.Same, stats.Faster} {
		s := Search{Measure: exact(1), Confirm: func(ctx context.Context, l Layer, on Region, parts []Region) (Reading, error) {
			r, err := exact(1)(ctx, l, on, parts)
			r.Whole.Verdict = whole
			return r, err
		}}
		r, err := s.Run(context.Background(), twoCalls)
		if err != nil || r.Verdict != stats.Unknown || r.Culprits[0].Confirmed {
			t.Errorf("whole %v when confirming: verdict %v, %+v, %v", whole, r.Verdict, r.Culprits, err)
		}
	}
}

// Own code that the confirming measurement doesn't give is not confirmed.
func TestConfirmNeedsOwn(t *testing.T) {
	slower := stats.Comparison{Verdict: stats.Slower, Diff: stats.Interval{Mean: 1, Low: 1, High: 1}}
	same := make([]stats.Comparison, 2)
	for i := range same {
		same[i].Verdict = stats.Same
	}
	own := &slower
	s := Search{Measure: func(_ context.Context, _ Layer, _ Region, parts []Region) (Reading, error) {
		r := Reading{Whole: slower, Parts: same[:len(parts)], Own: own}
		own = nil
		return r, nil
	}}
	r, err := s.Run(context.Background(), twoCalls)
	if err != nil || len(r.Culprits) != 1 || r.Culprits[0].Kind != OwnCode || r.Culprits[0].Confirmed {
		t.Errorf("got %+v, %v, want own code, unconfirmed", r, err)
	}
}
