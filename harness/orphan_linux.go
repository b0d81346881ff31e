package harness

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// endOrphans ends what still works in a directory whose process is gone, and is told so
// by its environment: a go command outlives a killed pinpoint, and would make again what
// is removed. Nobody else knows such a name.
func endOrphans(dir string) {
	within := []byte("TMPDIR=" + dir + "/") // GOTMPDIR, too
	for range 200 {                         // one that waits for a disk ends when that answers
		found := false
		environs, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, name := range environs {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			process, err := os.FindProcess(pid) // this one, whoever has its number later
			if err != nil {
				continue
			}
			// Nothing is read of one that has ended.
			if env, _ := os.ReadFile(name); bytes.Contains(env, within) && process.Kill() == nil {
				found = true
			}
			process.Release()
		}
		if !found {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
