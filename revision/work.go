package revision

import (
	"fmt"
	"slices"
	"sync"

	"github.com/pinpoint-go/pinpoint/harness"
)

// work is what one set does, and what is to be told of it.
type work struct {
	dir string // of what goes with the set

	mu       sync.Mutex // guards what follows: both sides build at the same time
	notes    []string
	commands []string
}

func (w *work) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(w.notes, text) {
		w.notes = append(w.notes, text)
	}
}

// built takes up what made a binary that the set gave.
func (w *work) built(bin harness.Binary) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if command := harness.Quote(bin.Command); !slices.Contains(w.commands, command) {
		w.commands = append(w.commands, command)
	}
}
