package harness

import "sync"

// tailSize is how much of a child's output is kept, in bytes.
const tailSize = 64 << 10

// A tail keeps the last tailSize bytes written to it. Standard output and
// standard error of a child share one, in the order in which they were written.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	// Twice the size before it is cut, so that many small writes cost little.
	if len(t.buf) > 2*tailSize {
		t.cut()
	}
	return len(p), nil
}

func (t *tail) cut() {
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = t.buf[:copy(t.buf, t.buf[over:])]
	}
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cut()
	return string(t.buf)
}
