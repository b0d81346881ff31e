// Package cache bounds what pinpoint keeps in the user's cache directory:
//
//	trees/REPOSITORY/cHASH, wHASH   private trees, see package backup
//	modules/HASH                    copies of dependencies that are overlaid, see package modules
//	goroot/NAME                     copies of toolchains, see package harness
//	bisect/, rounds/                what --resume goes on from
//	last.json                       the last report
//	max, sizes, in-use              of this package
//
// It promises that nobody but the user reads any of it, that each pinpoint begins with no
// more than the bound, and that nothing is taken from one that runs: it holds a lock for as
// long as it lives, and while others do, only what nobody used for a day goes. What goes is
// what was used least recently; it is renamed before it is removed, so that no half of it
// is ever met.
package cache

import "time"

// DefaultMax is what the cache may hold where the user has said nothing, in bytes.
const DefaultMax = 5 << 30

// An Entry is something in the cache that can go by itself.
type Entry struct {
	Kind  string // tree, module, toolchain or session
	Path  string // below the cache, with slashes
	Bytes int64
	Used  time.Time // the last time
}

// spared is how long an entry that other pinpoints may be using was not used by any.
const spared = 24 * time.Hour
