package ran

import (
	"runtime"

	"github.com/pinpoint-go/pinpoint/harness"
)

// Programs says whether a process of the workload started programs, in which counters
// count nothing, or may have: where the system does not tell, what links os/exec may.
func (c *Counter) Programs(p harness.Process) bool {
	return p.Usage.Started || runtime.GOOS != "linux" && c.execs
}
