// Package simulation runs a suite's comparison over a fleet that is pretended, event by
// event, with the schedule of the real one: what the queue of package schedule says, and
// how many benchmarks are looked at beside each other. It promises to account for every
// round: done once, whatever was lost, doubled or delivered twice.
//
// Pretended are the workers, the server and the time that a pair takes. Of the server it
// takes what was measured of the real one (see docs/fleet.md): how long a message is under
// way, and how many results a second it stores.
package simulation

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/pinpoint-go/pinpoint/fleet/schedule"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Scene is what is simulated. Times are in seconds.
type Scene struct {
	Workers    int
	Benchmarks int
	Pair       float64 // what a pair takes in the median; benchmarks differ by a factor of about 2
	Prepare    float64 // what the hunting machine takes for each look, one after the other

	Message  float64 // on its way
	Store    float64 // that the server takes for one result, one after the other
	Lost     float64 // share of the workers that end for good, an hour
	Straggle float64 // share of the pairs that take five times as long
	Parted   float64 // share of the workers that are parted from the server for a minute, an hour
	Restart  float64 // for how long the server is away, once an hour, and forgets all that it was told
	Middle   bool    // parted and restarted is once, in the middle of the work, whatever hour that is
	Seed     uint64
}

// Outcome is what came of it.
type Outcome struct {
	Rounds     int     // that had to be done
	Done       int     // that were, each counted once
	Wasted     int     // results that did not count
	Again      int     // rounds that were published more than once, doubled ones among them
	Seconds    float64 // until the last was done
	Efficiency float64 // of what the workers could have done in that time
	Idle       Idle    // where the rest of it went
}

// lease is the real one's.
const lease = 30.0

// looks are those of a suite.
var looks = stats.Looks(6, 192)

type message struct {
	id   string
	copy int
}

type worker struct {
	gone   bool    // for good
	parted float64 // until when it hears nothing
	busy   bool
	round  string  // of what it does or tells, while it is busy
	usual  float64 // when it has done that if it is no straggler
	told   bool    // it is done, and the server is to take it
}

type benchmark struct {
	name  string
	pair  float64
	under bool // a look is under way
	last  int  // look that decides it
	look  int  // that is next
	left  int  // rounds of the look under way
}

type simulation struct {
	Scene
	rng    *rand.Rand
	now    float64
	events events
	order  int

	queue    schedule.Queue
	prepared float64 // when the hunting machine is free
	of       map[string]*benchmark
	benches  []*benchmark
	looking  int

	up      bool
	stored  float64 // when the server is free
	waiting []message
	known   map[message]bool // that the server remembers
	results map[string]bool  // that it has
	counted map[string]bool  // by the hunt
	workers []*worker

	out  Outcome
	work float64 // of the rounds, each once
}

// Run simulates a scene to its end.
func Run(scene Scene) (Outcome, error) {
	s := &simulation{
		Scene: scene, rng: rand.New(rand.NewPCG(scene.Seed, 1)), up: true,
		of: make(map[string]*benchmark), known: make(map[message]bool),
		results: make(map[string]bool), counted: make(map[string]bool),
	}
	for range scene.Workers {
		s.workers = append(s.workers, &worker{})
	}
	for i := range scene.Benchmarks {
		b := &benchmark{name: fmt.Sprint(i), pair: scene.Pair * math.Exp(0.7*s.rng.NormFloat64())}
		// Half of them are decided by the first look, half of the others by the next.
		for b.last = 0; b.last < len(looks)-1 && s.rng.IntN(2) == 0; b.last++ {
		}
		s.out.Rounds += looks[b.last]
		s.work += b.pair * float64(looks[b.last])
		s.benches = append(s.benches, b)
	}
	s.trouble()
	s.begin()
	s.tick()
	s.census()
	for s.out.Done < s.out.Rounds {
		if s.events.Len() == 0 || s.now > 100*24*3600 {
			return s.out, fmt.Errorf("%d of %d rounds are done, and nothing happens any more", s.out.Done, s.out.Rounds)
		}
		e := heap.Pop(&s.events).(event)
		s.now = e.at
		e.do()
	}
	s.out.Again += s.queue.Doubled
	s.out.Seconds = s.now
	s.out.Idle.over(s.now)
	s.out.Efficiency = s.work / (s.now * float64(scene.Workers))
	return s.out, nil
}

func (s *simulation) after(seconds float64, do func()) {
	s.order++
	heap.Push(&s.events, event{s.now + seconds, s.order, do})
}

func (s *simulation) time() time.Time {
	return time.Unix(0, 0).Add(time.Duration(s.now * float64(time.Second)))
}

// trouble plans what goes wrong.
func (s *simulation) trouble() {
	middle := s.work / float64(s.Workers) / 2
	for _, w := range s.workers {
		if s.Lost > 0 {
			s.after(s.hourly(-math.Log(1-s.Lost)), func() { w.gone = true })
		}
		part := func() { w.parted = s.now + 60 }
		switch {
		case s.Middle && s.rng.Float64() < s.Parted:
			s.after(middle, part)
		case !s.Middle && s.Parted > 0:
			s.again(-math.Log(1-s.Parted), part)
		}
	}
	switch {
	case s.Restart > 0 && s.Middle:
		s.after(middle, s.restart)
	case s.Restart > 0:
		s.again(1, s.restart)
	}
}

// hourly is when something happens next that does so often an hour.
func (s *simulation) hourly(rate float64) float64 { return -3600 * math.Log(1-s.rng.Float64()) / rate }

// again does something so often an hour.
func (s *simulation) again(rate float64, do func()) {
	s.after(s.hourly(rate), func() {
		do()
		s.again(rate, do)
	})
}

func (s *simulation) restart() {
	s.up, s.waiting = false, nil
	clear(s.known)
	clear(s.results)
	s.after(s.Restart, func() {
		s.up = true
		for _, issue := range s.queue.Forgotten() {
			s.out.Again++
			s.publish(issue)
		}
	})
}

// there are the workers that the hunt counts.
func (s *simulation) there() (n int) {
	for _, w := range s.workers {
		if !w.gone {
			n++
		}
	}
	return n
}

// begin looks at as many benchmarks as are looked at beside each other.
func (s *simulation) begin() {
	for s.looking < schedule.Beside(s.there(), looks[0]) {
		var next *benchmark
		for _, b := range s.benches { // they are in an order that was drawn
			if !b.under && b.look <= b.last && (next == nil || schedule.Before(lookOf(b), lookOf(next), s.there()) < 0) {
				next = b
			}
		}
		if next == nil {
			return
		}
		next.under = true
		s.looking++
		s.prepared = max(s.prepared, s.now) + s.Prepare
		s.after(s.prepared-s.now, func() { s.look(next) })
	}
}

func lookOf(b *benchmark) schedule.Look {
	return schedule.Look{Taken: b.look, Left: b.pair * float64(len(looks)-b.look)}
}

func (s *simulation) look(b *benchmark) {
	from := 0
	if b.look > 0 {
		from = looks[b.look-1]
	}
	b.left = looks[b.look] - from
	for range b.left {
		id := fmt.Sprint(len(s.of))
		s.of[id] = b
		s.queue.Add(b.pair*float64(b.left), b.name, id)
	}
	s.issue()
}

// issue publishes what the schedule says.
func (s *simulation) issue() {
	for _, issue := range s.queue.Next(s.time(), max(1, s.there())) {
		s.publish(issue)
	}
}

// tick is the hunt's look at who is there.
func (s *simulation) tick() {
	s.issue()
	s.after(2, s.tick)
}

func (s *simulation) publish(i schedule.Issue) {
	m := message{i.ID, i.Copy}
	s.after(s.Message, func() {
		if !s.up || s.known[m] {
			return
		}
		s.known[m] = true
		s.deliver(m)
	})
}

// deliver has the server hand a message out, or keep it until somebody asks.
func (s *simulation) deliver(m message) {
	if s.up {
		s.waiting = append(s.waiting, m)
		s.hand()
	}
}

func (s *simulation) hand() {
	for _, w := range s.workers {
		if len(s.waiting) == 0 {
			return
		}
		if w.gone || w.busy || w.parted > s.now {
			continue
		}
		m := s.waiting[0]
		s.waiting = s.waiting[1:]
		w.busy, w.told, w.round = true, false, m.id
		w.usual = s.now + s.Message + s.of[m.id].pair
		s.after(s.Message, func() { s.run(w, m) })
	}
}

// run is a worker's round, unless there is a result of it.
func (s *simulation) run(w *worker, m message) {
	takes := s.of[m.id].pair
	switch {
	case s.results[m.id]:
		takes = s.Message
	case s.rng.Float64() < s.Straggle:
		takes *= 5
	}
	s.after(takes, func() { s.finish(w, m) })
	// A worker that is gone or parted renews no lease.
	s.after(takes+lease, func() {
		if (w.gone || w.parted > 0) && !s.results[m.id] {
			s.deliver(m)
		}
	})
}

func (s *simulation) finish(w *worker, m message) {
	if w.gone {
		return
	}
	w.told = true
	if wait := w.parted - s.now; wait > 0 {
		s.after(wait, func() { s.finish(w, m) })
		return
	}
	if !s.up {
		s.after(1, func() { s.finish(w, m) })
		return
	}
	s.stored = max(s.stored, s.now) + s.Store
	s.after(s.stored-s.now+2*s.Message, func() {
		w.busy = false
		if s.up && !s.results[m.id] {
			s.results[m.id] = true
			s.take(m.id)
		} else {
			s.out.Wasted++
		}
		s.hand()
	})
}

// take is the hunt's.
func (s *simulation) take(id string) {
	first := s.queue.Finish(id, s.time())
	if !first || s.counted[id] {
		s.out.Wasted++
		return
	}
	s.counted[id] = true
	s.out.Done++
	b := s.of[id]
	if b.left--; b.left == 0 {
		b.look++
		b.under = false
		s.looking--
		s.begin()
	}
	s.issue()
}

type event struct {
	at    float64
	order int
	do    func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].order < e[j].order
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}
