package doctor

import (
	"fmt"
	"runtime"

	"github.com/pinpoint-go/pinpoint/hunt/setup"
)

// From here on something is worth a word: where it is less, other things matter
// more.
const (
	muchForeign = 0.10 // CPU time of others, per CPU time of ours
	muchStolen  = 0.02
	muchDrift   = 0.03
	coarseClock = 100 // ns
	muchNoise   = 0.05
)

// advise says what would make the host resolve more, what helps most first.
func (h *Health) advise() []string {
	advice := []string{}
	say := func(format string, args ...any) { advice = append(advice, fmt.Sprintf(format, args...)) }
	if h.Foreign > muchForeign {
		say("other programs took %s of a processor meanwhile: stop them, or measure when they rest", percent(h.Foreign))
	}
	if h.Stolen > muchStolen {
		say("the hypervisor gave %s of our time to other guests: a dedicated or larger instance has fewer neighbours", percent(h.Stolen))
	}
	if h.Host.Virtual != "" && h.noisy() {
		say("this is a virtual machine (%s), whose neighbours can't be seen from within and slow down what it does: bare metal, or dedicated cores, would be steadier", h.Host.Virtual)
	}
	if h.Settings.Battery {
		say("it runs on its battery, which slows processors down: plug it in")
	}
	if g := h.Host.Governor; g != "" && g != "performance" {
		say("the frequency governor is %s: sudo cpupower frequency-set -g performance", g)
	}
	if h.Drift > muchDrift && h.Settings.Boost != nil && *h.Settings.Boost {
		say("the clock changed by %s, as it does above its base frequency: switch boost off, %s", percent(h.Drift), boostOff)
	}
	if h.noisy() && h.Settings.SMT != nil && *h.Settings.SMT {
		say("two processors share a core: echo off | sudo tee /sys/devices/system/cpu/smt/control")
	}
	if h.Clock.Resolution > coarseClock || h.Clock.Kind == "nanotime" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") {
		say("the probes' clock is %s with a resolution of %.0f ns: calls shorter than some microseconds can't be told apart", h.Clock.Kind, h.Clock.Resolution)
	}
	if h.Host.Cores == 1 {
		say("there is one processor: what waits for locks on several can't be seen")
	}
	if h.allocationsNoisy() {
		say("what allocates is the noisiest: --cpu 1 runs a pair on one processor, where the collector is no neighbour, if the benchmark doesn't need more")
	}
	if h.Lock != "" {
		say("pinpoints that run at the same time would disturb each other: %s", h.Lock)
	}
	return advice
}

const boostOff = "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost (or 1 into .../intel_pstate/no_turbo)"

// noisy reports whether a process of any kind may differ much from its twin.
func (h *Health) noisy() bool {
	for _, b := range h.Benchmarks {
		if b.Processes > muchNoise {
			return true
		}
	}
	return false
}

// allocationsNoisy reports whether what allocates stands out.
func (h *Health) allocationsNoisy() bool {
	decoding, rest := 0.0, 0.0
	for _, b := range h.Benchmarks {
		if b.Name == "decoding" {
			decoding = b.Ratios
		} else {
			rest = max(rest, b.Ratios)
		}
	}
	return decoding > muchNoise/2 && decoding > 1.5*rest
}

// Budget is the time of a hunt that Healthy goes by.
const Budget = setup.DefaultBudget

// enough is how many pairs it takes to say something of a host.
const enough = 8

// Decided reports whether enough was measured to say how well the host is.
func (h *Health) Decided() bool {
	for _, b := range h.Benchmarks {
		if b.Pairs < enough {
			return false
		}
	}
	return true
}

// Healthy reports whether a slowdown of 5 % is found in the default budget, and
// nothing differs from itself.
func (h *Health) Healthy() bool {
	within := h.Resolves(Budget)
	return within > 0 && within <= 0.05 && len(h.Differs()) == 0
}
