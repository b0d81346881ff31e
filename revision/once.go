package revision

import (
	"sync"
	"sync/atomic"
)

// once keeps what something gave, unless it failed: then it is tried again when it is
// asked for again.
type once[T any] struct {
	making sync.Mutex
	made   atomic.Pointer[T]
}

// known is what was made, nil if nothing was yet. It does not wait for who makes it.
func (o *once[T]) known() *T { return o.made.Load() }

// forget makes it anew when it is asked for the next time.
func (o *once[T]) forget() { o.made.Store(nil) }

func (o *once[T]) get(make func() (T, error)) (T, error) {
	o.making.Lock()
	defer o.making.Unlock()
	if v := o.made.Load(); v != nil {
		return *v, nil
	}
	v, err := make()
	if err == nil {
		o.made.Store(&v)
	}
	return v, err
}
