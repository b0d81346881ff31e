package main

import (
	"errors"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// exitUnread is what a shell says of a program that wrote to nobody.
const exitUnread = 128 + int(syscall.SIGPIPE)

// whileRead calls end when nobody reads what is printed any more: the reader of a
// pipe has seen enough, or the job's runner died. By itself the kernel would end pinpoint on
// the spot, and what it made on the way would stay. Unread says whether it came to that.
func whileRead(end func(), printed ...*outside.Terminal) (unread func() bool) {
	var gone atomic.Bool
	// Not ignored: what is run would ignore it, too.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	for _, t := range printed {
		t.Failed = func(err error) {
			if errors.Is(err, syscall.EPIPE) {
				gone.Store(true)
				end()
			}
		}
	}
	return gone.Load
}
