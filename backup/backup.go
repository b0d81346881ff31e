// Package backup keeps the versions of a tree apart, so that the wrong one can
// never be measured.
//
// # What it promises
//
// A repository is only read. Its working files, index, refs, configuration,
// stashes, list of worktrees and objects are the same before and after,
// also when the run is interrupted. No hook, filter, file system monitor, pager or transport
// of the repository's configuration runs. (One thing is not in our hands: with a split index,
// git renews the time of the shared part whenever anyone reads it.)
//
// A revision becomes a private tree: a directory in the cache that holds the
// files of that revision and nothing else, not even a .git. The tree is complete or
// absent, belongs to exactly one content, and is the same directory in every
// run, which is what lets the go command reuse what it built there. Two
// processes may ask for one tree at once, and get the same one.
//
// # What is in a tree
//
// A commit's tree holds what the object store holds: executable bits and
// symbolic links included, but without the conversions that a checkout may make
// (eol, ident, working-tree-encoding, filters). These depend on the machine's
// configuration, and two revisions must differ by what was committed only. So
// a file kept in Git LFS is its pointer, and Tree.Pointers names it. Nor does
// export-ignore drop files, as it would from git archive.
// Replacement refs are not followed: a commit's hash says what is measured.
//
// A symbolic link that leads out of the tree is left out, and Tree.Outside names it: a
// commit could make whoever reads its files read any other. Nobody but the user can
// read a tree.
//
// A submodule's files are there when its repository and the commit are present locally,
// and otherwise Tree.Missing names it. Nothing is fetched.
//
// The tree of the uncommitted state, Worktree, holds what lies on the disk: every file that
// git tracks or that is untracked and not ignored, in submodules too. It is a state that
// the checkout was in at one moment: all files are read twice, and must be
// the same both times.
//
// # How it stays right
//
// Trees are writable, for workloads may write into their testdata. Before a tree is
// used again, all its contents are held against its name: against the objects of the
// commit, or the hash of the working files' state. One that differs is made again.
// Every file has the same modification time, one in the past, and a manifest beside
// the tree lists names, sizes and modes, so that Tree.Changed can tell at little cost
// what a workload that meant no harm wrote.
package backup

import (
	"fmt"
	"os"
	"path/filepath"
)

// Worktree is the revision that stands for the uncommitted state of the
// checkout. A branch of this name is reached as refs/heads/WORKTREE.
const Worktree = "WORKTREE"

// A Revision is one version of a repository's tree.
type Revision struct {
	Name   string // as the user said it
	Commit string // full hash; for Worktree the HEAD it sits on, "" before the first commit
	Key    string // names the tree in the cache: the repository, and the commit or for Worktree the content
}

// A Tree is the private copy of a revision's files.
type Tree struct {
	Revision          // for Worktree, that of the state that was copied
	Dir      string   // absolute, free of symbolic links
	Missing  []string // submodules (slash paths) that are not present locally; their directories are empty
	Pointers []string // files (slash paths) of which only a Git LFS pointer is there
	Outside  []string // symbolic links (slash paths) that lead out of the tree, and are left out
	Origin   []string // directories of the repository it was copied from: its own, and that of the working files
}

// CacheDir returns where pinpoint keeps its trees if the user doesn't say
// otherwise: a directory of the user's cache directory. It need not exist.
func CacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the cache directory: %w", err)
	}
	return filepath.Join(dir, "pinpoint"), nil
}
