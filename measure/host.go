package measure

import (
	"crypto/sha256"
	"fmt"

	"github.com/pinpoint-go/pinpoint/harness"
)

// HostID identifies the kind of machine that measured: system, architecture, CPU
// model, cores, governor and what it runs under. Two machines with the same ID
// are alike, not the same one; the machine's name is kept out of files that may
// be published.
func HostID(f harness.Facts) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{
		f.OS, f.Arch, f.CPU, fmt.Sprint(f.Cores), f.Governor, f.Virtual,
	}))
	return fmt.Sprintf("%x", sum[:6])
}
