package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pinpoint-go/pinpoint/bisect"
	"github.com/pinpoint-go/pinpoint/internal/output"
)

// state is what a search keeps on disk: every step with its samples, so that one
// that was interrupted, or is made step by step by git bisect run, need not begin
// again. It belongs to one question: the same ends, workload and error.
type state struct {
	file  string
	Asked question      `json:"asked"`
	Mean  bool          `json:"mean"` // samples are the mean of all batches
	Steps []bisect.Step `json:"steps"`
}

// question is all that the steps of a search depend on.
type question struct {
	Use         string   `json:"use"` // bisect, or step for one that git bisect run leads
	Good        string   `json:"good"`
	Bad         string   `json:"bad"`
	Repository  string   `json:"repository"`
	Package     string   `json:"package"`
	Workload    any      `json:"workload"`
	Files       []string `json:"files"` // hashes of what goes into every commit
	Tags        string   `json:"tags"`
	PGO         string   `json:"pgo,omitempty"`
	Metric      string   `json:"metric"`
	FirstParent bool     `json:"first_parent"`
	Paths       []string `json:"paths"`
	Alpha       float64  `json:"alpha"`
	MinEffect   float64  `json:"min_effect"`
	Test        int      `json:"test"`
}

func (s *session) question(use string, o Options) question {
	q := question{
		Use: use, Good: s.Report.Good.Commit, Bad: s.Report.Bad.Commit,
		Repository: filepath.Dir(s.Good.Key), Package: filepath.Join(s.Set.Repo().Prefix(), s.Options.Package),
		Workload: s.Options.Workload, Tags: s.Options.Tags, PGO: s.Options.PGO, Metric: s.Report.Workload.Metric,
		FirstParent: o.FirstParent, Paths: o.Paths,
		Alpha: s.Options.Alpha, MinEffect: s.Options.MinEffect, Test: int(s.Options.Test),
	}
	files := make(map[string][]byte)
	maps.Copy(files, s.Good.Added())
	maps.Copy(files, s.Bad.Added())
	for name, content := range files {
		sum := sha256.Sum256(content)
		q.Files = append(q.Files, name+" "+hex.EncodeToString(sum[:]))
	}
	slices.Sort(q.Files)
	return q
}

// newState is an empty state for a question. Its file need not be there.
func newState(cache string, q question) (*state, error) {
	asked, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(asked)
	return &state{file: filepath.Join(cache, "bisect", hex.EncodeToString(sum[:8])+".json"), Asked: q}, nil
}

func (st *state) exists() bool {
	_, err := os.Stat(st.file)
	return err == nil
}

// load reads what an earlier search of the same question left; false if nothing.
func (st *state) load() (bool, error) {
	data, err := os.ReadFile(st.file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, st)
	}
	if err != nil {
		return false, fmt.Errorf("reading the state of the search: %w (remove %s to begin again)", err, st.file)
	}
	return true, nil
}

// put keeps a step, in place of the same one with fewer samples.
func (st *state) put(step bisect.Step) error {
	same := func(k bisect.Step) bool {
		return k.Commit == step.Commit && k.Stage == step.Stage && k.Round == step.Round
	}
	if i := slices.IndexFunc(st.Steps, same); i >= 0 {
		st.Steps[i] = step
	} else {
		st.Steps = append(st.Steps, step)
	}
	return st.write()
}

// write replaces the file as a whole: killed at any moment, it leaves one that is
// complete.
func (st *state) write() error {
	data, err := json.MarshalIndent(st, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(st.file), 0o700); err != nil {
		return fmt.Errorf("keeping the state of the search: %w", err)
	}
	return output.Save(st.file, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// remove forgets the search.
func (st *state) remove() { os.Remove(st.file) }
