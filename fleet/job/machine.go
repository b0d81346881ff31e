package job

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument/probe"
)

// Worker is what a worker says of itself.
type Worker struct {
	ID       string
	Host     string // its machine's name
	Pinpoint string // its version
	Board    string // how its harness and a binary talk to each other
	Facts    harness.Facts
	Unfit    string `json:",omitempty"` // why it takes no jobs; "" is fit
}

// ThisMachine is a worker here.
func ThisMachine(id, version string) Worker {
	host, _ := os.Hostname() // it only reads better
	return Worker{ID: id, Host: host, Pinpoint: version, Board: board(), Facts: harness.Host()}
}

func board() string { return hex.EncodeToString([]byte(probe.Magic)) }

// Class names the machines on which a pair runs alike, as far as can be told: by processor,
// kernel and what surrounds them. It does not depend on the toolchain.
func (w Worker) Class() string {
	f := w.Facts
	f.Go = ""
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v %s", f, w.Board))
	return hex.EncodeToString(sum[:6])
}

// Describe says in a phrase what machine it is.
func (w Worker) Describe() string { return harness.Machines{Facts: w.Facts}.Describe() }

// Runs reports whether the worker can run what is built here.
func (w Worker) Runs() bool {
	here := harness.Host()
	return w.Board == board() && w.Facts.OS == here.OS && w.Facts.Arch == here.Arch
}
