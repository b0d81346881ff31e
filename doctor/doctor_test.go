package doctor

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/stats"
)

// host makes runs on a simulated host, whose processes vary by the one standard
// deviation and whose pairs by the other; bias is what bad seems slower by.
func host(n int, processes, pairs, bias float64) []run {
	r := rand.New(rand.NewPCG(1, 2))
	runs := make([]run, len(references))
	for i := range runs {
		for range n {
			level := math.Exp(7 + processes*r.NormFloat64())
			good, bad := level, level*math.Exp(bias+pairs*r.NormFloat64())
			runs[i].good, runs[i].bad = append(runs[i].good, good), append(runs[i].bad, bad)
			runs[i].ratios = append(runs[i].ratios, logRatio(good, bad))
		}
		runs[i].took = time.Duration(n) * 500 * time.Millisecond
		runs[i].clock = instrument.Clock{Kind: "tsc", Resolution: 1, ReadCost: 10, PairCost: 20, OutsideCost: 5}
		runs[i].disturbed = harness.Disturbance{
			Usage: harness.Usage{CPU: time.Second, Waited: 30 * time.Millisecond}, Foreign: 200 * time.Millisecond, Stolen: 10 * time.Millisecond,
		}
	}
	return runs
}

func TestDiagnose(t *testing.T) {
	for _, test := range []struct {
		name                   string
		n                      int
		processes, pairs, bias float64
		resolves               float64
		decided, healthy       bool
	}{
		{"quiet", 40, 0.01, 0.003, 0, 0.01, true, true},
		{"noisy processes, quiet pairs", 40, 0.20, 0.01, 0, 0.01, true, true},
		{"noisy", 40, 0.20, 0.06, 0, 0.05, true, true},
		{"very noisy", 40, 0.50, 0.30, 0, 0.30, true, false},
		{"hopeless", 40, 2, 2, 0, 0, true, false},
		{"differs from itself", 40, 0.01, 0.01, 0.05, 0.01, true, false},
		{"too short", minRounds, 0.01, 0.003, 0, 0.01, false, true},
	} {
		h := diagnose(host(test.n, test.processes, test.pairs, test.bias), time.Minute)
		if got := h.Resolves(Budget); got != test.resolves {
			t.Errorf("%s: resolves %v, want %v: %+v", test.name, got, test.resolves, h.Benchmarks[0].Needs)
		}
		if h.Decided() != test.decided || h.Healthy() != test.healthy || (len(h.Differs()) > 0) != (test.bias != 0) {
			t.Errorf("%s: decided %v, healthy %v, differs %v", test.name, h.Decided(), h.Healthy(), h.Differs())
		}
		if math.Abs(h.Foreign-0.2) > 1e-9 || math.Abs(h.Stolen-0.01) > 1e-9 || math.Abs(h.Waited-0.03) > 1e-9 || h.Drift <= 0 {
			t.Errorf("%s: foreign %v, stolen %v, waited %v, drift %v", test.name, h.Foreign, h.Stolen, h.Waited, h.Drift)
		}
	}
}

// What is promised holds: with that many pairs the rule of hunts finds the
// slowdown about four times in five, and no more often than that by far with half.
func TestPairsForIsEnough(t *testing.T) {
	ledger := stats.Ledger{Alpha: 0.01}
	alpha := ledger.Open(stats.Whole, len(stats.Looks(firstLook, 384)), 2)
	for _, test := range []struct{ slowdown, processes, pairs float64 }{
		{0.05, 0.2, 0.04}, {0.02, 0.3, 0.02}, {0.30, 0.1, 0.1},
	} {
		n := pairsFor(test.slowdown, math.Hypot(test.processes, test.pairs/math.Sqrt2), test.pairs)
		found := 0
		const hunts = 100
		r := rand.New(rand.NewPCG(3, 4))
		for range hunts {
			var good, bad []float64
			for range n {
				level := math.Exp(test.processes * r.NormFloat64())
				good = append(good, level*math.Exp(test.pairs/math.Sqrt2*r.NormFloat64()))
				bad = append(bad, level*(1+test.slowdown)*math.Exp(test.pairs/math.Sqrt2*r.NormFloat64()))
			}
			rule := stats.Rule{Alpha: alpha, MinEffect: minEffect(test.slowdown), Test: stats.TestAuto}
			if rule.Compare(good, bad).Verdict == stats.Slower {
				found++
			}
		}
		if found < 65 {
			t.Errorf("%v: %d pairs found it in %d of %d hunts, want about 80", test, n, found, hunts)
		}
		if n > 2*rankPairs && found > 97 {
			t.Errorf("%v: %d pairs found it in %d of %d hunts: fewer would have done", test, n, found, hunts)
		}
	}
}

func TestSpreadIgnoresWildValues(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var xs []float64
	for range 400 {
		xs = append(xs, 0.01*r.NormFloat64())
	}
	if got := spread(xs); math.Abs(got-0.01) > 0.0015 {
		t.Errorf("spread %v of normal values, want 0.01", got)
	}
	for i := range 20 {
		xs[i*20] = 3
	}
	if got := spread(xs); math.Abs(got-0.01) > 0.002 {
		t.Errorf("spread %v with wild values, want 0.01", got)
	}
	if got := spread([]float64{1, 2, 3}); got != 1 {
		t.Errorf("spread %v of three values, want their standard deviation", got)
	}
}

func TestSettings(t *testing.T) {
	files := map[string]string{
		"/sys/devices/system/cpu/intel_pstate/no_turbo": "0",
		"/sys/devices/system/cpu/smt/active":            "1",
		"/proc/loadavg":                                 "1.25 0.3 0.89 2/90 4931",
		"/sys/class/power_supply/BAT1/status":           "Discharging",
	}
	s := settingsFrom(func(name string) string { return files[name] })
	if s.Boost == nil || !*s.Boost || s.SMT == nil || !*s.SMT || s.Load == nil || *s.Load != 1.25 || !s.Battery {
		t.Errorf("%+v", s)
	}
	if s := settingsFrom(func(string) string { return "" }); s != (Settings{}) {
		t.Errorf("%+v of nothing", s)
	}
}

// Every advice comes for its own reason only.
func TestAdvice(t *testing.T) {
	yes := true
	for _, test := range []struct {
		change func(h *Health)
		want   string
	}{
		{func(h *Health) {}, ""},
		{func(h *Health) { h.Foreign = 0.5 }, "other programs took 50 %"},
		{func(h *Health) { h.Stolen = 0.05 }, "hypervisor"},
		{func(h *Health) { h.Host.Virtual = "KVM" }, ""},
		{func(h *Health) { h.Host.Virtual = "KVM"; h.Benchmarks[1].Processes = 0.2 }, "virtual machine (KVM)"},
		{func(h *Health) { h.Settings.Battery = true }, "battery"},
		{func(h *Health) { h.Host.Governor = "powersave" }, "cpupower"},
		{func(h *Health) { h.Host.Governor = "performance" }, ""},
		{func(h *Health) { h.Settings.Boost = &yes }, ""},
		{func(h *Health) { h.Settings.Boost = &yes; h.Drift = 0.2 }, "cpufreq/boost"},
		{func(h *Health) { h.Settings.SMT = &yes; h.Benchmarks[1].Processes = 0.2 }, "smt/control"},
		{func(h *Health) { h.Clock.Resolution = 1000 }, "resolution of 1000 ns"},
		{func(h *Health) { h.Host.Cores = 1 }, "one processor"},
		{func(h *Health) { h.Benchmarks[2].Ratios = 0.04 }, "--cpu 1"},
		{func(h *Health) { h.Lock = "permission denied" }, "permission denied"},
	} {
		h := diagnose(host(20, 0.001, 0.001, 0), time.Minute)
		h.Foreign, h.Stolen, h.Host.Cores = 0, 0, 2
		test.change(h)
		got := h.advise()
		if test.want == "" && len(got) != 0 || test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)) {
			t.Errorf("advice %q, want one with %q", got, test.want)
		}
	}
}

func TestText(t *testing.T) {
	h := diagnose(host(20, 3, 3, 0.2), 61*time.Second)
	h.Host = harness.Facts{OS: "linux", Arch: "amd64", CPU: "A Processor With A Very Long Name @ 2.00GHz", Cores: 16, Virtual: "KVM", Governor: "powersave"}
	h.Toolchain, h.Advice = "go1.26.0", h.advise()
	var b strings.Builder
	if err := h.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if text.Columns(strings.TrimRight(line, "\n")) > text.Width || strings.HasSuffix(line, " \n") {
			t.Errorf("%d columns: %q", text.Columns(line), line)
		}
	}
	for _, want := range []string{"A Processor", "resolution 1 ns", "too many", "what would help:\n  - ", "\nNot healthy"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	h := diagnose(host(10, 0.1, 0.01, 0), time.Minute)
	h.Advice = h.advise()
	if err := h.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	back, ok, err := Read([]byte(b.String()))
	if err != nil || !ok || len(back.Benchmarks) != 3 || len(back.Benchmarks[0].Needs) != 4 {
		t.Fatalf("%+v, %v, %v", back, ok, err)
	}
	var said, again strings.Builder
	h.WriteText(&said)
	if back.WriteText(&again); said.String() != again.String() {
		t.Errorf("read back it says\n%s, not\n%s", again.String(), said.String())
	}
	if _, ok, err := Read([]byte(`{"schema": "pinpoint/report/v1"}`)); ok || err != nil {
		t.Errorf("a hunt is a host's health: %v", err)
	}
}
