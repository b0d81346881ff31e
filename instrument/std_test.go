package instrument

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	stdFlag    = flag.String("std", "", "packages whose tests TestStandardLibrary runs with all calls probed: paths separated by commas, or some, or a number for that many packages of the standard library, those with the most calls")
	stdAtOnce  = flag.Bool("std.together", false, "probe the packages of -std all in one build, not each in a build of its own")
	stdMissing = flag.Bool("std.refused", false, "list what TestStandardLibrary finds refused")
)

// fewStd are tested when no flag says otherwise: nothing much is built from them.
// someStd are tested for -std=some: half the standard library must be rebuilt.
var (
	fewStd  = []string{"text/template", "go/parser"}
	someStd = []string{"strings", "strconv", "bytes", "sort", "path/filepath", "text/template", "encoding/json", "go/parser"}
)

// withoutCgo keeps cgo's output out of the standard library: what it writes is
// refused as a whole.
var withoutCgo = []string{"CGO_ENABLED=0"}

// TestStandardLibrary runs packages' own tests with all their calls probed.
func TestStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds much of the standard library")
	}
	list, packages := stdPackages(t)
	var count tally
	together := make(map[string][]byte)
	for _, path := range list {
		changed, asked, refused, err := All(packages[path], nil, 0)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		count.add(asked, refused)
		t.Logf("%s: %d calls, %d refused", path, len(asked), len(refused))
		if *stdMissing {
			for _, r := range refused {
				t.Logf("%s: %s: %s", r.Pos, r.Text, r.Reason)
			}
		}
		if *stdAtOnce {
			maps.Copy(together, changed)
			continue
		}
		testProbed(t, changed, path)
	}
	if *stdAtOnce {
		testProbed(t, together, list...)
	}
	t.Logf("%d packages: %v", len(list), &count)
}

// allocating are tests that assert how often something allocates. A probed
// function is one that the compiler no longer inlines, and what it returns then
// escapes. TestStandardLibrary skips them, and says so.
var allocating = map[string]string{
	"net":     "TestAllocs",     // UDPConn.WriteTo and ReadFromUDP: 1 object, 2 with probes
	"reflect": "TestMapIterSet", // Value.MapRange: none, 1 with probes
}

func testProbed(t *testing.T, changed map[string][]byte, packages ...string) {
	t.Helper()
	args := []string{"test", "-short", "-vet=off", "-overlay=" + overlayOf(t, changed)}
	var skipped []string
	for _, p := range packages {
		if test, ok := allocating[p]; ok {
			t.Logf("skipped: %s in %s, which counts allocations", test, p)
			skipped = append(skipped, test)
		}
	}
	if len(skipped) > 0 {
		args = append(args, "-skip=^("+strings.Join(skipped, "|")+")$")
	}
	args = append(args, packages...)
	if out, err := goCommand(t.Context(), ".", args...); err != nil {
		t.Errorf("go test: %v\n%s", err, out)
	}
}

// stdPackages returns the packages to test, and the files of at least these.
func stdPackages(t *testing.T) ([]string, map[string][]File) {
	t.Helper()
	n, err := strconv.Atoi(*stdFlag)
	if err != nil {
		list := strings.Split(*stdFlag, ",")
		switch *stdFlag {
		case "":
			list = fewStd
		case "some":
			list = someStd
		}
		return list, load(t, ".", withoutCgo, list...)
	}
	packages := load(t, ".", withoutCgo, "std")
	calls := make(map[string]int)
	for path, files := range packages {
		if Unprobed(path) != "" || strings.HasPrefix(path, "vendor/") {
			continue
		}
		for _, f := range files {
			calls[path] += len(callsOf(f))
		}
	}
	list := slices.SortedFunc(maps.Keys(calls), func(a, b string) int {
		return cmp.Or(cmp.Compare(calls[b], calls[a]), cmp.Compare(a, b))
	})
	return list[:min(n, len(list))], packages
}

// A tally counts probes.
type tally struct {
	asked, refused int
	reasons        map[string]int
}

func (c *tally) add(asked []CallProbe, refused []Refusal) {
	c.asked += len(asked)
	c.refused += len(refused)
	if c.reasons == nil {
		c.reasons = make(map[string]int)
	}
	for _, r := range refused {
		c.reasons[r.Reason]++
	}
}

func (c *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d calls probed, %.2f %%", c.asked-c.refused, c.asked, 100*float64(c.asked-c.refused)/float64(c.asked))
	byCount := func(a, b string) int { return cmp.Or(cmp.Compare(c.reasons[b], c.reasons[a]), cmp.Compare(a, b)) }
	for _, r := range slices.SortedFunc(maps.Keys(c.reasons), byCount) {
		fmt.Fprintf(&b, "\n%d refused: %s", c.reasons[r], r)
	}
	return b.String()
}
