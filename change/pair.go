package change

import "sync"

// Pair is something of good's and its like of bad's.
type Pair[T any] struct{ Good, Bad T }

// Map makes something of either.
func Map[T, U any](p Pair[T], f func(T) U) Pair[U] { return Pair[U]{f(p.Good), f(p.Bad)} }

// Zip makes a pair of pairs one of what f makes of their sides.
func Zip[T, U, V any](p Pair[T], q Pair[U], f func(T, U) V) Pair[V] {
	return Pair[V]{f(p.Good, q.Good), f(p.Bad, q.Bad)}
}

// Both does the same with good and bad at the same time. Of two errors it is good's
// that is given: they usually fail alike.
func Both[T, U any](p Pair[T], do func(T) (U, error)) (out Pair[U], err error) {
	err = Together(
		func() (err error) { out.Good, err = do(p.Good); return err },
		func() (err error) { out.Bad, err = do(p.Bad); return err },
	)
	return out, err
}

// Together does two things at the same time and gives the first one's error, or else
// the second's.
func Together(first, second func() error) error {
	var wg sync.WaitGroup
	var errs [2]error
	for i, do := range []func() error{first, second} {
		wg.Go(func() { errs[i] = do() })
	}
	wg.Wait()
	if errs[0] != nil {
		return errs[0]
	}
	return errs[1]
}

// Which is one of two sides.
type Which bool

// The sides.
const (
	Good Which = false
	Bad  Which = true
)

// Of is that of one side.
func (p Pair[T]) Of(w Which) T {
	if w == Bad {
		return p.Bad
	}
	return p.Good
}
