package backup

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
)

// A source is a repository whose commits are read: the user's own, or that of a
// submodule.
type source struct {
	git    git
	gitDir string
	common string
	top    string // "" without working files
}

func (r *Repo) source() source {
	return source{git: r.git, gitDir: r.gitDir, common: r.common, top: r.top}
}

// A batch is the part of a commit's tree that comes from one source.
type batch struct {
	source source
	blobs  []blob
}

type blob struct {
	hash string
	path string // in the whole tree
	kind kind
}

// list reads what the commit holds, below prefix ("" or "sub/"): first its own
// files, then those of its submodules. Submodules that are not present locally are
// returned as missing.
func (s source) list(ctx context.Context, commit, prefix string) (batches []batch, missing []string, err error) {
	out, err := s.git.output(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, nil, err
	}
	own := batch{source: s}
	var modules [][2]string // path, commit
	for entry := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		if len(entry) == 0 {
			continue
		}
		about, path, _ := strings.Cut(string(entry), "\t")
		fields := strings.Fields(about) // mode, type, hash
		if len(fields) != 3 {
			return nil, nil, fmt.Errorf("reading the tree of %s: unexpected entry %q", commit, entry)
		}
		if fields[1] == "commit" {
			modules = append(modules, [2]string{path, fields[2]})
			continue
		}
		own.blobs = append(own.blobs, blob{fields[2], prefix + path, kindOf(fields[0])})
	}
	batches = []batch{own}
	if len(modules) == 0 {
		return batches, nil, nil
	}
	names := s.moduleNames(ctx, commit)
	for _, m := range modules {
		sub, ok := s.submodule(ctx, m[0], names[m[0]], m[1])
		if !ok {
			missing = append(missing, prefix+m[0])
			continue
		}
		b, miss, err := sub.list(ctx, m[1], prefix+m[0]+"/")
		if err != nil {
			return nil, nil, fmt.Errorf("reading submodule %s: %w", prefix+m[0], err)
		}
		batches, missing = append(batches, b...), append(missing, miss...)
	}
	return batches, missing, nil
}

func kindOf(mode string) kind {
	switch mode {
	case "120000":
		return symlink
	case "100755":
		return executable
	}
	return regular // 100644, and 100664 of old
}

// moduleNames returns the names of the commit's submodules, by path. A commit
// without a valid .gitmodules has none.
func (s source) moduleNames(ctx context.Context, commit string) map[string]string {
	out, err := s.git.output(ctx, "config", "-z", "--blob", commit+":.gitmodules", "--get-regexp", `^submodule\..*\.path$`)
	if err != nil {
		return nil
	}
	names := map[string]string{}
	for setting := range strings.SplitSeq(string(out), "\x00") {
		name, path, _ := strings.Cut(setting, "\n")
		names[path] = strings.TrimSuffix(strings.TrimPrefix(name, "submodule."), ".path")
	}
	return names
}

// submodule finds the local repository of the submodule at path, and reports
// whether it has the commit.
func (s source) submodule(ctx context.Context, path, name, commit string) (source, bool) {
	var dirs []string
	top := ""
	if s.top != "" {
		top = filepath.Join(s.top, filepath.FromSlash(path))
		if dir, ok := gitDirOf(top); ok {
			dirs = append(dirs, dir)
		}
	}
	if name != "" && filepath.IsLocal(name) {
		dirs = append(dirs, filepath.Join(s.gitDir, "modules", name), filepath.Join(s.common, "modules", name))
	}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil {
			continue
		}
		// The working files are said to be in the repository itself, because its
		// core.worktree may be a directory that isn't there now, into which git would want to change.
		sub := source{git: git{dir, []string{"--git-dir=" + dir, "--work-tree=" + dir}}, gitDir: dir, common: dir, top: top}
		if _, err := sub.git.output(ctx, "cat-file", "-e", commit+"^{commit}"); err == nil {
			return sub, true
		}
	}
	return source{}, false
}

// gitDirOf returns the repository of the checkout at top: top/.git, or what
// that file names.
func gitDirOf(top string) (string, bool) {
	dot := filepath.Join(top, ".git")
	info, err := os.Stat(dot)
	if err != nil || info.IsDir() {
		return dot, err == nil
	}
	text, err := os.ReadFile(dot)
	dir, ok := strings.CutPrefix(string(text), "gitdir: ")
	if err != nil || !ok {
		return "", false
	}
	dir = filepath.FromSlash(strings.TrimRight(dir, "\r\n"))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(top, dir)
	}
	return dir, true
}

// small is the size, in bytes, up to which a file goes through memory, so that
// it can be written while the next one is read.
const small = 1 << 20

// extract writes the files of a batch. One git reads all of them in order,
// and several goroutines write: making a file takes longer than inflating it.
func (b batch) extract(ctx context.Context, w *writer) error {
	if len(b.blobs) == 0 {
		return nil
	}
	args := []string{"cat-file", "--batch", "--buffer"}
	cmd := b.source.git.command(ctx, args...)
	cmd.Stdin = requests(b.blobs)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return newGitError(ctx, args, "", err)
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	err = b.receive(inner, bufio.NewReaderSize(stdout, 1<<16), group, w)
	if err != nil {
		cmd.Cancel() // it may be waiting for us to read on
	}
	if wrote := group.Wait(); wrote != nil {
		err = wrote
	}
	wait := cmd.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if wait != nil && (err == nil || stderr.Len() > 0) { // git knows better why it stopped
		return newGitError(ctx, args, stderr.String(), wait)
	}
	return err
}

func requests(blobs []blob) io.Reader {
	var buf bytes.Buffer
	for _, b := range blobs {
		buf.WriteString(b.hash)
		buf.WriteByte('\n')
	}
	return &buf
}

// receive takes the answers of git cat-file --batch, one for each blob.
func (b batch) receive(ctx context.Context, from *bufio.Reader, group *errgroup.Group, w *writer) error {
	for _, f := range b.blobs {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		size, err := answer(from)
		if err != nil {
			return fmt.Errorf("reading %s (%s): %w", f.path, f.hash, err)
		}
		if size > small && f.kind != symlink {
			if err := w.copy(f.path, f.kind, io.LimitReader(from, size)); err != nil {
				return err
			}
		} else {
			content := make([]byte, size)
			if _, err := io.ReadFull(from, content); err != nil {
				return fmt.Errorf("reading %s (%s): %w", f.path, f.hash, err)
			}
			group.Go(func() error { return f.write(w, content) })
		}
		if _, err := from.Discard(1); err != nil { // the newline after the content
			return fmt.Errorf("reading %s (%s): %w", f.path, f.hash, err)
		}
	}
	return nil
}

func (b blob) write(w *writer, content []byte) error {
	if b.kind == symlink {
		return w.link(b.path, string(content))
	}
	return w.copy(b.path, b.kind, bytes.NewReader(content))
}

// answer reads the line "HASH blob SIZE" before a content.
func answer(from *bufio.Reader) (size int64, err error) {
	line, err := from.ReadString('\n')
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(line)
	if len(fields) == 2 && fields[1] == "missing" {
		return 0, errors.New("this clone has not its content, as a partial one: git fetch --refetch --no-filter gets all")
	}
	if len(fields) != 3 || fields[1] != "blob" {
		return 0, fmt.Errorf("the object store says %q", strings.TrimSpace(line))
	}
	return strconv.ParseInt(fields[2], 10, 64)
}

// fillCommit writes a commit's files and returns what there are.
func (r *Repo) fillCommit(ctx context.Context, w *writer, rev Revision) (*manifest, error) {
	batches, missing, err := r.source().list(ctx, rev.Commit, "")
	if err != nil {
		return nil, err
	}
	for _, b := range batches {
		if err := b.extract(ctx, w); err != nil {
			return nil, err
		}
	}
	slices.Sort(missing)
	return w.finish(rev.Key, missing)
}
