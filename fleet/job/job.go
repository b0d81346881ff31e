// Package job is what travels between a hunt and its workers: one round of processes,
// and what became of it. It promises that what is read from others is bounded, and that
// no result is taken for another job's.
package job

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/s2"

	"github.com/pinpoint-go/pinpoint/harness"
)

// Job is a round to be run, with its files by their digests.
type Job struct {
	ID       string // of the hunt and of the round in it
	Task     harness.Task
	Programs []Program // by side
	Input    string    // digest of the standard input; "" is none
	// Doubts are how often a worker's rounds looked unlike those of others, by its ID: it
	// is to hold itself against itself again.
	Doubts map[string]int `json:",omitempty"`
}

// Program is where the binary of a side is.
type Program struct {
	Digest string // of the binary
	Tree   string // digest of the files that it may read; "" is none
	Dir    string // its working directory in the tree, as a slash path
}

// Digests are those of all files of the job, each once.
func (j Job) Digests() []string {
	var list []string
	for _, p := range j.Programs {
		list = append(list, p.Digest, p.Tree)
	}
	list = append(list, j.Input)
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(d string) bool { return d == "" })
}

// Result is what became of a job.
type Result struct {
	ID      string
	Worker  string
	Class   string
	Seconds float64 // that it took the worker, files included
	Times   int     // that the job was handed out until then; 0 is not known
	Done    harness.Done
	Failure *Failure // the workload's; nil if the job was done
}

// Paths are where the files of a job lie on a worker.
type Paths struct {
	File func(digest string) string // of a binary or an input
	Tree func(digest string) string // of a directory
}

// On is the job's task with its files at the paths of a worker, and the input read.
func (j Job) On(paths Paths) (harness.Task, error) {
	t := j.Task
	if len(j.Programs) != len(t.Binaries) || len(t.N) != len(t.Binaries) || !isOrder(t.Order, len(t.Binaries)) {
		return t, fmt.Errorf("reading job %s: %d programs of %d sides in the order %v", j.ID, len(j.Programs), len(t.Binaries), t.Order)
	}
	t.Binaries = slices.Clone(t.Binaries)
	for side, p := range j.Programs {
		b := &t.Binaries[side]
		b.Path = paths.File(p.Digest)
		if p.Tree != "" {
			if !filepath.IsLocal(filepath.FromSlash(p.Dir)) {
				return t, fmt.Errorf("reading job %s: directory %q is not in its tree", j.ID, p.Dir)
			}
			b.Tree = paths.Tree(p.Tree)
			b.Dir = filepath.Join(b.Tree, filepath.FromSlash(p.Dir))
		}
		if _, err := os.Stat(b.Root); err != nil {
			b.Root = "" // the worker has no toolchain, or another
		}
	}
	if j.Input != "" {
		input, err := os.ReadFile(paths.File(j.Input))
		if err != nil {
			return t, fmt.Errorf("reading the input: %w", err)
		}
		t.Workload.Input = input
	}
	return t, nil
}

func isOrder(order []int, sides int) bool {
	sorted := slices.Sorted(slices.Values(order))
	for i, side := range sorted {
		if i != side {
			return false
		}
	}
	return sides > 0 && len(sorted) == sides
}

// Most is how large a job or a result may be, in bytes, unpacked.
const Most = 64 << 20

// Pack is a job or a result as it travels.
func Pack(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	return s2.Encode(nil, data), err
}

// Unpack reads what Pack made, and no more than [Most].
func Unpack(data []byte, v any) error {
	if n, err := s2.DecodedLen(data); err == nil && n > Most {
		return fmt.Errorf("reading a message: it has %d bytes, and %d are allowed", n, Most)
	}
	text, err := s2.Decode(nil, data)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return fmt.Errorf("reading a message: %w", err)
	}
	return nil
}

// Check says why a result can't be the job's; nil if it can.
func (j Job) Check(r Result) error {
	switch {
	case r.ID != j.ID:
		return fmt.Errorf("a result of %q came for job %q", r.ID, j.ID)
	case r.Failure != nil:
		return r.Failure.check()
	}
	return j.Task.Check(r.Done)
}
