package hunt

import "strings"

// firstLine is an error in one line, for a list of warnings; the whole of it
// stands elsewhere.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
