package revert

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/change"
)

// Every subset of a function's hunks either compiles as it is, or the closure says what
// came along, and then it compiles. All of them are the function as it is in good.
func TestHunkSubsets(t *testing.T) {
	for _, name := range []string{"hunk_condition", "hunk_local", "hunk_insert", "hunk_whole"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openScene(t, "testdata/"+name+".txtar")
			between := change.Between(s.good, s.bad)
			function, _, _ := strings.Cut(s.list("want")[0], "#")
			suspect, err := between.Find(function)
			if err != nil {
				t.Fatal(err)
			}
			all, err := Hunks(between, suspect)
			if err != nil || len(all) < 1 {
				t.Fatal(all, err)
			}
			for subset := 1; subset < 1<<len(all); subset++ {
				var hunks []Hunk
				for i, h := range all {
					if subset&(1<<i) != 0 {
						hunks = append(hunks, h)
					}
				}
				plan, err := ComposeHunks(between, nil, hunks, Helpers)
				if err != nil {
					t.Errorf("%b: %v", subset, err)
					continue
				}
				for _, h := range hunks {
					if taken := fmt.Sprint(plan.Hunks, plan.Functions); !strings.Contains(taken, h.Name()) && !strings.Contains(taken, h.Of.Name) {
						t.Errorf("%b: %s is not in the plan: %v", subset, h.Name(), taken)
					}
				}
				linesStay(t, s.bad, plan)
				if bits.OnesCount(uint(subset)) != 1 && subset != 1<<len(all)-1 {
					continue // type-checked is enough
				}
				if out, err := goCommand(t.Context(), s.badDir, "vet", "-overlay="+writeOverlay(t, plan), "."); err != nil {
					t.Errorf("%b: %s", subset, out)
				}
			}
		})
	}
}

func TestNoHunks(t *testing.T) {
	for name, want := range map[string]string{
		"hunk_import":            "another package",
		"method_became_function": "signature",
		"assembly":               "no body",
		"removed_helper":         "",
	} {
		s := openScene(t, "testdata/"+name+".txtar")
		between := change.Between(s.good, s.bad)
		suspect, err := between.Find(s.list("want")[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Hunks(between, suspect); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
