package harness

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/pinpoint-go/pinpoint/instrument"
)

// A job is one build.
type job struct {
	goCmd    *Go
	side     Side
	workload Workload
	dir      string // of the build: overlay and output
	overlay  string // the overlay's JSON file; "" when nothing is overlaid
}

// String names the build in a trace.
func (j *job) String() string {
	if j.side.Layout == 0 {
		return fmt.Sprintf("%s, %d files laid over it", j.side.Label, len(j.side.Overlay))
	}
	return fmt.Sprintf("%s in link order %d", j.side.Label, j.side.Layout)
}

func (j *job) writeOverlay() error {
	if len(j.side.Overlay) == 0 {
		return nil
	}
	dir := j.overlayDir()
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("writing the overlay: %w", err)
	}
	var err error
	o := instrument.Overlay{Files: j.side.Overlay}
	if j.overlay, err = o.Write(dir); err != nil {
		return fmt.Errorf("writing the overlay: %w", err)
	}
	return nil
}

func (j *job) overlayDir() string { return filepath.Join(j.dir, "overlay") }
