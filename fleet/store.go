package fleet

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/fleet/depot"
	"github.com/pinpoint-go/pinpoint/fleet/job"
	"github.com/pinpoint-go/pinpoint/harness"
)

// store brings the files of a hunt to the server, each once.
type store struct {
	bus  *bus.Bus
	hunt string

	mu     sync.Mutex
	binary map[string]string                   // digests, by the path of a binary: none is built twice under one
	tree   map[string]string                   // digests, by the top of a tree
	sent   map[string]func(to io.Writer) error // what writes them, by digest
}

// pack is the job of a task: without the paths that it has here.
func (s *store) pack(ctx context.Context, t harness.Task) (job.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent == nil {
		s.binary, s.tree, s.sent = make(map[string]string), make(map[string]string), make(map[string]func(io.Writer) error)
	}
	t.Workload = t.Workload.Carried(os.LookupEnv)
	j := job.Job{Task: t}
	j.Task.Binaries = slices.Clone(t.Binaries)
	for side, b := range t.Binaries {
		p, err := s.program(ctx, b)
		if err != nil {
			return j, err
		}
		j.Programs = append(j.Programs, p)
		here := &j.Task.Binaries[side]
		here.Path, here.Dir, here.Tree, here.Cache, here.Hidden, here.Command = "", "", "", "", nil, nil
	}
	if input := t.Workload.Input; input != nil {
		var err error
		j.Input, err = s.send(ctx, func(to io.Writer) error { _, err := to.Write(input); return err })
		if err != nil {
			return j, err
		}
		j.Task.Workload.Input = nil
	}
	return j, nil
}

func (s *store) program(ctx context.Context, b harness.Binary) (p job.Program, err error) {
	if s.binary[b.Path] == "" {
		s.binary[b.Path], err = s.send(ctx, func(to io.Writer) error { return copyFrom(b.Path, to) })
		if err != nil {
			delete(s.binary, b.Path)
			return p, err
		}
	}
	p.Digest = s.binary[b.Path]
	top := b.Tree
	if rel, err := filepath.Rel(top, b.Dir); top == "" || err != nil || !filepath.IsLocal(rel) {
		top = depot.Top(b.Dir)
	}
	if s.tree[top] == "" {
		s.tree[top], err = s.send(ctx, func(to io.Writer) error { return depot.Pack(to, top) })
		if err != nil {
			delete(s.tree, top)
			return p, err
		}
	}
	p.Tree = s.tree[top]
	dir, err := filepath.Rel(top, b.Dir)
	p.Dir = filepath.ToSlash(dir)
	return p, err
}

func copyFrom(path string, to io.Writer) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(to, f)
	return err
}

// send brings what is written to the server, unless it is there, and gives its digest.
func (s *store) send(ctx context.Context, write func(to io.Writer) error) (string, error) {
	var data bytes.Buffer
	if err := write(&data); err != nil {
		return "", fmt.Errorf("reading what goes to the fleet: %w", err)
	}
	digest, err := depot.Digest(bytes.NewReader(data.Bytes()))
	if err != nil || s.sent[digest] != nil {
		return digest, err
	}
	if err := s.bus.PutFile(ctx, s.hunt, digest, &data); err != nil {
		return "", err
	}
	s.sent[digest] = write
	return digest, nil
}

// restore brings what was sent to a server that lost it.
func (s *store) restore(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for digest, write := range s.sent {
		if s.bus.HasFile(ctx, s.hunt, digest) {
			continue
		}
		var data bytes.Buffer
		if write(&data) != nil {
			continue // what was removed here is not needed any more
		}
		if err := s.bus.PutFile(ctx, s.hunt, digest, &data); err != nil {
			return err
		}
	}
	return nil
}
