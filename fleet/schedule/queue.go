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

// A job that takes so many times as long as half of them do is a straggler, once there were
// a few to say so.
const (
	straggles = 3
	knowing   = 4
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
	times   []time.Duration // that jobs took, in order of length
	added   int
}

type job struct {
	id    string
	rank  float64
	order int
}

type flight struct {
	since  time.Time
	copies int
}

// Add takes jobs up. Of higher rank go first, of equal rank those that came first: what has
// most left to do, so that nothing long begins last.
func (q *Queue) Add(rank float64, ids ...string) {
	for _, id := range ids {
		q.waiting = append(q.waiting, job{id, rank, q.added})
		q.added++
	}
	slices.SortFunc(q.waiting, func(a, b job) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.order, b.order))
	})
}

// Next says what to publish now to so many workers. Where nothing waits and workers are
// idle, stragglers are doubled, the oldest first: whichever comes first counts.
func (q *Queue) Next(now time.Time, workers int) []Issue {
	var list []Issue
	for len(q.waiting) > 0 && len(q.flying) < ahead*workers {
		id := q.waiting[0].id
		q.waiting = q.waiting[1:]
		if q.flying == nil {
			q.flying = make(map[string]flight)
		}
		q.flying[id] = flight{now, 1}
		list = append(list, Issue{id, 1})
	}
	if len(q.waiting) > 0 || len(q.times) < knowing {
		return list
	}
	long := straggles * q.times[len(q.times)/2]
	for _, id := range q.oldest() {
		f := q.flying[id]
		if idle := workers - len(q.flying); idle <= q.doubles() || now.Sub(f.since) < long {
			break
		}
		if f.copies == 1 {
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

// Empty reports whether no job is left.
func (q *Queue) Empty() bool { return len(q.waiting) == 0 && len(q.flying) == 0 }

// Finish takes a result in, and reports whether it is the first of its job, and so counts.
func (q *Queue) Finish(id string, now time.Time) bool {
	f, ok := q.flying[id]
	if !ok {
		return false
	}
	delete(q.flying, id)
	took := now.Sub(f.since)
	at, _ := slices.BinarySearch(q.times, took)
	q.times = slices.Insert(q.times, at, took)
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
		delete(q.flying, id)
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(j job) bool { return gone[j.id] })
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
