package simulation

// Idle is what workers did that was no round's first result, as a share of all the time of
// all of them.
type Idle struct {
	Gone      float64 // they had ended
	Parted    float64 // they heard nothing of the server
	Away      float64 // the server was away
	Straggled float64 // their pair took longer than it does
	Twice     float64 // they did what another had done
	Nothing   float64 // there was nothing for them
	Told      float64 // a result or a job was under way
}

// between is the time between looks at what workers do, in seconds.
const between = 0.01

// census looks at what each worker does, now and ever again.
func (s *simulation) census() {
	i := &s.out.Idle
	share := between / float64(s.Workers) // of a second of all; see Run
	for _, w := range s.workers {
		switch {
		case w.gone:
			i.Gone += share
		case w.parted > s.now:
			i.Parted += share
		case !s.up && (!w.busy || w.told):
			i.Away += share
		case !w.busy:
			i.Nothing += share
		case w.told:
			i.Told += share
		case s.results[w.round]:
			i.Twice += share
		case s.now > w.usual:
			i.Straggled += share
		}
	}
	s.after(between, s.census)
}

// over makes shares of what seconds were counted.
func (i *Idle) over(seconds float64) {
	for _, v := range []*float64{&i.Gone, &i.Parted, &i.Away, &i.Straggled, &i.Twice, &i.Nothing, &i.Told} {
		*v /= seconds
	}
}
