package instrument

import (
	"embed"
	"fmt"
	"path/filepath"
)

// A Gauge is something that package testing reads before and after every batch
// and counts on the board as if a probe had, or reports as if the benchmark had. A build
// has at most one of GaugeCollections, GaugeMemory, GaugeGCTime and GaugeLive, and no
// other probes with the IDs of the first two.
type Gauge int

const (
	// GaugeCollections counts, as the calls of CollectionsEnded and
	// CollectionsTouched, the collector's cycles that ended in a batch, and 1 for a
	// batch that any part of a cycle fell into. It costs nothing while the timer
	// runs, but all packages are built anew for it.
	GaugeCollections Gauge = iota
	// GaugeMemory counts, as the calls of LiveBefore, LiveAfter and PeakResident,
	// bytes. It collects all garbage before and after every batch.
	GaugeMemory
	// CollectBefore counts nothing: garbage is collected before every batch.
	CollectBefore
	// GaugeGCTime reports the collector's processor time in gc-ns/op, as package
	// runtime/metrics tells it: of whole batches, with what their set-up causes.
	GaugeGCTime
	// GaugeLive reports the heap that is reachable after a batch in live-B. It collects
	// all garbage after every batch.
	GaugeLive
)

// Probe IDs of the gauges.
const (
	CollectionsEnded   = 0
	CollectionsTouched = 1

	LiveBefore   = 0
	LiveAfter    = 1
	PeakResident = 2

	// GaugeProbes is how many IDs a board needs for any of the gauges.
	GaugeProbes = 3
)

//go:embed hook/collections.go.txt hook/collections_runtime.go.txt hook/memory.go.txt hook/collect.go.txt hook/gctime.go.txt hook/live.go.txt hook/boxes.go.txt hook/boxes_runtime.go.txt
var gaugeSource embed.FS

var gaugeFiles = map[Gauge]string{GaugeCollections: "collections", GaugeMemory: "memory", CollectBefore: "collect", GaugeGCTime: "gctime", GaugeLive: "live"}

// AddGauge adds a gauge to package testing beneath the GOROOT of the build. The
// runtime must be added too.
func (o *Overlay) AddGauge(goroot string, g Gauge) error {
	name := gaugeFiles[g]
	src, err := gaugeSource.ReadFile("hook/" + name + ".go.txt")
	if err != nil {
		return fmt.Errorf("reading gauge %d: %w", g, err)
	}
	files := map[string][]byte{filepath.Join(goroot, "src", "testing", "pinpoint_"+name+".go"): src}
	if g == GaugeCollections {
		// The linker takes a reference to the runtime's own only where that agrees.
		agrees, err := gaugeSource.ReadFile("hook/collections_runtime.go.txt")
		if err != nil {
			return fmt.Errorf("reading gauge %d: %w", g, err)
		}
		files[filepath.Join(goroot, "src", "runtime", "pinpoint_collections.go")] = agrees
	}
	return o.Add(files)
}
