package backup

import (
	"context"
	"slices"
	"strings"
)

// A Commit is what git log says of one.
type Commit struct {
	Hash    string
	Author  string // name
	Date    string // of the author, as 2006-01-02
	Subject string
}

// Log lists the commits that git log lists with these arguments: revisions and their
// ranges, --max-count, -L and the like.
func (r *Repo) Log(ctx context.Context, args ...string) ([]Commit, error) {
	out, err := r.Git(ctx, slices.Concat([]string{"log", "--no-patch", "--format=%H%x00%an%x00%as%x00%s"}, args)...)
	if err != nil {
		return nil, err
	}
	var list []Commit
	for line := range strings.Lines(string(out)) {
		if f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\x00", 4); len(f) == 4 {
			list = append(list, Commit{Hash: f[0], Author: f[1], Date: f[2], Subject: f[3]})
		}
	}
	return list, nil
}
