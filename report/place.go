package report

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// site is a place in the repository. Lines and columns count from 1; a column of
// 0 is not known.
type site struct {
	file      string
	line, col int
}

var positionForm = regexp.MustCompile(`^(.+?):([0-9]+)(?::([0-9]+))?$`)

// placeOf takes file:line:column apart.
func placeOf(position string) (at site, ok bool) {
	m := positionForm.FindStringSubmatch(position)
	if m == nil {
		return site{}, false
	}
	line, err := strconv.Atoi(m[2])
	col, _ := strconv.Atoi(m[3])
	return site{m[1], line, col}, err == nil && line > 0
}

// siteOf is a place in the repository. What lies outside of it, in a dependency or the
// standard library (path@version/file), has no site.
func siteOf(position string) (site, bool) {
	at, ok := placeOf(position)
	if !ok || path.IsAbs(at.file) || strings.Contains(at.file, "@") {
		return site{}, false
	}
	return at, true
}
