package harness

import (
	"errors"
	"strings"
)

// FirstLine is an error in one line, for a list of warnings; the whole of it
// stands elsewhere. Of a process that panicked it has the panic.
func FirstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	var failed *WorkloadError
	if errors.As(err, &failed) && failed.Last() != "" {
		line += " (" + failed.Last() + ")"
	}
	return line
}
