package measure

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// A Measurer is one quantity and the way to get it.
type Measurer struct {
	Name string // as it was asked for, such as IgnoringGC+OutlierElimination
	run  run
}

// modes are the measurers that stand for a mode.
var modes = []struct{ name, measurers string }{
	{"steady", "RunningTime"},
	{"startup", "Startup"},
	{"memory", "MemoryFootprint,PeakRSS,Allocs,Bytes"},
	{"counts", "Allocs,Bytes,GCCycles,BoxingCount,Statements"},
}

// Modes are the names of modes.
func Modes() []string {
	var names []string
	for _, m := range modes {
		names = append(names, m.name)
	}
	return names
}

// ModeMeasurers is the list of measurers that a mode stands for, "" if there is none of
// that name.
func ModeMeasurers(mode string) string {
	for _, m := range modes {
		if m.name == mode {
			return m.measurers
		}
	}
	return ""
}

// Names lists the measurers for people.
const Names = `RunningTime            time per operation, and what the benchmark reports by
                       b.ReportMetric and b.SetBytes
  +IgnoringGC          without batches that a garbage collection fell into
  +PeriodicInstantiation=N,gc  set-up made anew every N operations, at most,
                       after a full collection
  +OutlierElimination  without the slowest batches, if that steadies the rest
Startup                the first operation of a process, and the whole process
CPUTime                CPU time per operation, of all threads
Allocs, Bytes          allocations and bytes allocated per operation
GCCycles               garbage collections per operation
GCTime                 processor time of the garbage collector per operation
LiveHeap               heap that is reachable after a batch of operations
MemoryFootprint        live heap that the operation leaves behind
PeakRSS                most memory resident
MethodInvocationCount=MATCH  calls of functions, each and the sum: by name,
                       /regexp/, (*T) for a receiver, pkg:PATH for a package,
                       impl:io.Reader for the methods of what implements it
BoxingCount[=TYPE]     conversions to interface that allocate
FieldAccess=T.f        reads and writes of a field
Statements             statements executed`

// ParseMeasurers reads a list such as "IgnoringGC+OutlierElimination,Allocs". base
// is what all timings have in common.
func ParseMeasurers(list string, base Timing) ([]Measurer, error) {
	var all []Measurer
	for _, text := range splitList(list) {
		m, err := parseMeasurer(text, base)
		if err != nil {
			return nil, fmt.Errorf("measurer %s: %w", text, err)
		}
		if slices.ContainsFunc(all, func(o Measurer) bool { return o.Name == m.Name }) {
			return nil, fmt.Errorf("measurer %s: it is in the list twice", text)
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no measurer in %q; choose of\n%s", list, Names)
	}
	return reporting(all), nil
}

// splitList cuts at commas but those within a measurer: PeriodicInstantiation=9,gc
// is one, and so is a regular expression.
func splitList(list string) []string {
	var out []string
	for part := range strings.SplitSeq(list, ",") {
		last := len(out) - 1
		switch {
		case last >= 0 && (strings.HasPrefix(part, "gc") || openRegexp(out[last])):
			out[last] += "," + part
		case strings.TrimSpace(part) != "":
			out = append(out, strings.TrimSpace(part))
		}
	}
	return out
}

// openRegexp reports whether a comma behind text is still within slashes.
func openRegexp(text string) bool {
	_, re, ok := strings.Cut(text, "=/")
	return ok && !strings.HasSuffix(re, "/")
}

func parseMeasurer(text string, base Timing) (Measurer, error) {
	name, arg, hasArg := strings.Cut(text, "=")
	m := Measurer{Name: text}
	if make, ok := plain[name]; ok {
		if hasArg {
			return m, fmt.Errorf("%s takes no value", name)
		}
		m.run = make(text)
		return m, nil
	}
	if make, ok := counted[name]; ok {
		c, err := make(arg)
		m.run = countRun(text, c)
		return m, err
	}
	t, err := parseTiming(text, base)
	m.run = timeRun(text, t)
	return m, err
}

// plain are the measurers without a value or a mixin.
var plain = map[string]func(name string) run{
	"Startup":         startupRun,
	"CPUTime":         cpuRun,
	"Allocs":          allocsRun,
	"Bytes":           bytesRun,
	"GCCycles":        cyclesRun,
	"GCTime":          func(name string) run { return gaugedRun(name, "gc-ns/op", instrument.GaugeGCTime) },
	"LiveHeap":        func(name string) run { return gaugedRun(name, "live-B", instrument.GaugeLive) },
	"MemoryFootprint": footprintRun,
	"PeakRSS":         residentRun,
}

// parseTiming reads RunningTime and its mixins, in any order.
func parseTiming(text string, t Timing) (Timing, error) {
	for part := range strings.SplitSeq(text, "+") {
		name, arg, _ := strings.Cut(part, "=")
		var err error
		switch name {
		case "RunningTime", "Default":
		case "IgnoringGC":
			t.IgnoreGC = true
		case "OutlierElimination":
			t.Outliers = &Outliers{}
		case "PeriodicInstantiation":
			t.Frequency, err = parsePeriod(arg)
		default:
			err = fmt.Errorf("there is no %q; choose of\n%s", name, Names)
		}
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

func parsePeriod(arg string) (frequency int64, err error) {
	number, gc, _ := strings.Cut(arg, ",")
	frequency, err = strconv.ParseInt(number, 10, 64)
	if err != nil || frequency < 1 || gc != "gc" {
		return 0, errors.New("give the operations between two set-ups, as PeriodicInstantiation=100,gc; without a collection, --iterations 100 does the same")
	}
	return frequency, nil
}

// timeRun is the run of a Timing. Timings that differ need processes of their
// own.
func timeRun(name string, t Timing) run {
	return run{
		key: "time " + name, timing: &t, gauges: t.gauges(), anyKind: len(t.gauges()) == 0,
		read: func(r reading) ([]Value, []string) {
			s := t.choose(r.process.Batches, r.wanted)
			return []Value{{Measurer: name, Unit: "ns/op", Value: t.value(s)}}, s.notes
		},
	}
}

// startupRun is start-up as the thesis (2.3.2) has it: one operation a process, and
// the first process is discarded.
func startupRun(name string) run {
	return run{
		key: "startup", single: true, discard: 1, anyKind: true,
		read: func(r reading) ([]Value, []string) {
			return []Value{
				{Measurer: name, Unit: "ns/first-op", Value: perOp(r.process.Batches[0])},
				{Measurer: name, Unit: "ns/process", Value: 1e9 * r.process.Seconds},
			}, nil
		},
	}
}

func cpuRun(name string) run {
	return run{
		key: "cpu", meter: instrument.MeterCPU, anyKind: true,
		read: func(r reading) ([]Value, []string) {
			var cpu, n float64
			for _, b := range warm(r) {
				cpu += b.Metered
				n += float64(b.N)
			}
			return []Value{{Measurer: name, Unit: "cpu-ns/op", Value: cpu / n}}, nil
		},
	}
}

// warm is what the first tenth is left out of.
func warm(r reading) []harness.Batch { return Warmer{}.settle(r.process.Batches, r.wanted).kept }

func allocsRun(name string) run {
	return perBatch(name, "allocs/op", func(b harness.Batch) int64 { return b.Allocs })
}

func bytesRun(name string) run {
	return perBatch(name, "B/op", func(b harness.Batch) int64 { return b.Bytes })
}

func perBatch(name, unit string, of func(harness.Batch) int64) run {
	return run{
		key: "allocations", counts: true,
		read: func(r reading) ([]Value, []string) {
			var xs []float64
			for _, b := range r.process.Batches {
				xs = append(xs, float64(of(b))/float64(b.N))
			}
			slices.Sort(xs)
			return []Value{{Measurer: name, Unit: unit, Value: xs[len(xs)/2]}}, nil
		},
	}
}

func cyclesRun(name string) run {
	return run{
		key: "collections", gauges: []instrument.Gauge{instrument.GaugeCollections},
		read: func(r reading) ([]Value, []string) {
			var cycles, n float64
			for _, b := range warm(r) {
				cycles += float64(b.Parts[instrument.CollectionsEnded].Calls)
				n += float64(b.N)
			}
			return []Value{{Measurer: name, Unit: "GCs/op", Value: cycles / n}}, nil
		},
	}
}

// gaugedRun takes what package testing reports by a gauge, in its unit, as if the benchmark had.
func gaugedRun(name, unit string, g instrument.Gauge) run {
	return run{
		key: "gauge " + name, gauges: []instrument.Gauge{g},
		read: func(r reading) (values []Value, notes []string) {
			for _, v := range reported(warm(r)) {
				if v.Unit == unit {
					values = append(values, Value{Measurer: name, Unit: unit, Value: v.Value})
					if g == instrument.GaugeGCTime && v.Value == 0 {
						notes = append(notes, "no collection ended within a batch, and its time is known at its end only: 0 is not that there is no garbage; longer batches (--iterations) have some")
					}
				}
			}
			return values, notes
		},
	}
}

func footprintRun(name string) run {
	return memoryRun(func(p []instrument.Part) []Value {
		before, after := p[instrument.LiveBefore].Calls, p[instrument.LiveAfter].Calls
		return []Value{{Measurer: name, Unit: "footprint-B", Value: float64(after - before)}, {Measurer: name, Unit: "live-heap-B", Value: float64(after)}}
	})
}

func residentRun(name string) run {
	return memoryRun(func(p []instrument.Part) []Value {
		if p[instrument.PeakResident].Calls == 0 {
			return nil
		}
		return []Value{{Measurer: name, Unit: "peak-RSS-B", Value: float64(p[instrument.PeakResident].Calls)}}
	})
}

// memoryRun looks at the first operation of the process: by the second, what the
// first left behind may have been replaced.
func memoryRun(of func([]instrument.Part) []Value) run {
	return run{
		key: "memory", single: true, gauges: []instrument.Gauge{instrument.GaugeMemory},
		read: func(r reading) ([]Value, []string) {
			v := of(r.process.Batches[0].Parts)
			if v == nil {
				return nil, []string{"the system does not tell how much memory was resident"}
			}
			return v, nil
		},
	}
}

// merge joins runs of one key, in the order of their first.
func merge(measurers []Measurer) []run {
	var runs []run
	for _, m := range measurers {
		i := slices.IndexFunc(runs, func(r run) bool { return r.key == m.run.key })
		if i < 0 {
			runs = append(runs, m.run)
			continue
		}
		first, second := runs[i].read, m.run.read
		runs[i].read = func(r reading) ([]Value, []string) {
			v, notes := first(r)
			w, more := second(r)
			return append(v, w...), append(notes, more...)
		}
	}
	return runs
}
