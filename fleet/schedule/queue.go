// Package schedule decides which jobs of a hunt are with the fleet, and when one is given
// to it again. It has no clock and no bus: it is told what happened, and when, and says
// what to publish. The simulation drives the same code.
package schedule

import (
	"cmp"
	"slices"
	"time"
)

// ahead is how many jobs a worker finds at most, its own among them: while it asks for the
// next one, that is there. What is not published yet can still be put behind others.
const ahead = 2

// A job that takes so many times as long as half of its group do is a straggler, once there
// were a few to say so. It is doubled where workers are idle, or where what is decided by
// its group waits for the last few of it; otherwise when it may be lost.
const (
	straggles = 2
	lost      = 8
	knowing   = 4
	few       = 3
)

// Issue is a job to publish. A copy has a number, and is told apart from the others.
type Issue struct {
	ID   string
	Copy int
}

// Queue is the jobs of a hunt that are not done. The zero value is empty.
type Queue struct {
	Doubled int // jobs that were given to a second worker

	waiting []job // in the order in which they go
	flying  map[string]flight
	times   map[string][]time.Duration // that jobs took, by group, in order of length
	left    map[string]int             // jobs that are not done, by group
	added   int
}

type job struct {
	id    string
	group string
	rank  float64
	order int
}

type flight struct {
	group  string
	since  time.Time
	copies int
}

// Add takes jobs up. Of higher rank go first, of equal rank those that came first: what has
// most left to do, so that nothing long begins last. Jobs of a group take about as long.
func (q *Queue) Add(rank float64, group string, ids ...string) {
	for _, id := range ids {
		j := job{id, group, rank, q.added}
		q.added++
		at, _ := slices.BinarySearchFunc(q.waiting, j, func(a, b job) int {
			return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.order, b.order))
		})
		q.waiting = slices.Insert(q.waiting, at, j)
	}
	if q.left == nil {
		q.left = make(map[string]int)
	}
	q.left[group] += len(ids)
}

// Next says what to publish now to so many workers. Stragglers are doubled, the oldest first:
// whichever comes first counts.
func (q *Queue) Next(now time.Time, workers int) []Issue {
	var list []Issue
	for len(q.waiting) > 0 && len(q.flying) < ahead*workers {
		id, group := q.waiting[0].id, q.waiting[0].group
		q.waiting = q.waiting[1:]
		if q.flying == nil {
			q.flying = make(map[string]flight)
		}
		q.flying[id] = flight{group, now, 1}
		list = append(list, Issue{id, 1})
	}
	idle := workers - len(q.flying) - q.doubles()
	for _, id := range q.oldest() {
		f := q.flying[id]
		times := q.times[f.group]
		if f.copies > 1 || len(times) < knowing {
			continue
		}
		took, usual := now.Sub(f.since), times[len(times)/2]
		if took > lost*usual || took > straggles*usual && (idle > 0 || q.left[f.group] <= few) {
			idle--
			f.copies++
			q.flying[id] = f
			q.Doubled++
			list = append(list, Issue{id, f.copies})
		}
	}
	return list
}

// doubles is how many of the jobs with the fleet are there twice.
func (q *Queue) doubles() (n int) {
	for _, f := range q.flying {
		n += f.copies - 1
	}
	return n
}

func (q *Queue) oldest() []string {
	var ids []string
	for id := range q.flying {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(q.flying[a].since.Compare(q.flying[b].since), cmp.Compare(a, b))
	})
	return ids
}

// Out is how many jobs are with the fleet.
func (q *Queue) Out() int { return len(q.flying) }

// Empty reports whether no job is left.
func (q *Queue) Empty() bool { return len(q.waiting) == 0 && len(q.flying) == 0 }

// Finish takes a result in, and reports whether it is the first of its job, and so counts.
func (q *Queue) Finish(id string, now time.Time) bool {
	f, ok := q.flying[id]
	if !ok {
		return false
	}
	delete(q.flying, id)
	q.left[f.group]--
	took := now.Sub(f.since)
	if q.times == nil {
		q.times = make(map[string][]time.Duration)
	}
	times := q.times[f.group]
	at, _ := slices.BinarySearch(times, took)
	q.times[f.group] = slices.Insert(times, at, took)
	return true
}

// Forgotten says what to publish again to a server that may have lost it: all that is with
// the fleet. What the server still has, it knows by its identity.
func (q *Queue) Forgotten() []Issue {
	var list []Issue
	for _, id := range q.oldest() {
		for copy := range q.flying[id].copies {
			list = append(list, Issue{id, copy + 1})
		}
	}
	return list
}

// Drop gives jobs up.
func (q *Queue) Drop(ids ...string) {
	gone := make(map[string]bool)
	for _, id := range ids {
		gone[id] = true
		if f, ok := q.flying[id]; ok {
			q.left[f.group]--
			delete(q.flying, id)
		}
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(j job) bool {
		if gone[j.id] {
			q.left[j.group]--
		}
		return gone[j.id]
	})
}

// Older are the jobs that were with the fleet for longer than that.
func (q *Queue) Older(now time.Time, than time.Duration) []string {
	var list []string
	for _, id := range q.oldest() {
		if now.Sub(q.flying[id].since) > than {
			list = append(list, id)
		}
	}
	return list
}

// Beside is how many benchmarks are looked at at the same time, where so many rounds can
// run and a look has so many at least: enough for all workers to have ahead of what they
// run. With one worker it is one.
func Beside(workers, pairs int) int {
	if workers < 2 {
		return 1
	}
	return 1 + (ahead*workers+pairs-1)/pairs
}

// Look is what a suite knows of a benchmark that could be looked at next.
type Look struct {
	Taken int     // looks that it had
	First int     // of those with as many, the greater comes before
	Left  float64 // how long its looks take that may follow, one after the other, in any unit
	Worth float64 // decisions a second that are expected of it, where there may not be time for all; else 0
}

// Before says which of two benchmarks is looked at first. Here, where one is looked at at a
// time, each gets a look before any gets the next: the budget may end. On a fleet that is so
// of the first look; then what has most left goes first, since looks of a benchmark follow
// each other and the longest chain ends last. Here and there, what is worth more comes before
// that once each had a look.
func Before(a, b Look, places int) int {
	first := (a.Taken == 0) != (b.Taken == 0)
	if !first && a.Worth != b.Worth {
		return cmp.Compare(b.Worth, a.Worth)
	}
	if places > 1 && !first && a.Taken > 0 {
		return cmp.Or(cmp.Compare(b.Left, a.Left), cmp.Compare(b.First, a.First))
	}
	return cmp.Or(cmp.Compare(a.Taken, b.Taken), cmp.Compare(b.First, a.First))
}
