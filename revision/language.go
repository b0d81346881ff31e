package revision

import (
	"go/version"
	"slices"
	"strings"
)

// probesNeed is the language version that probes are written in: they are
// generic. It must stay below go1.22, which changed what a loop variable is.
const probesNeed = "go1.18"

// listLanguages are the arguments of the go list whose output raised reads.
var listLanguages = []string{"-e", "-deps", "-test", "-f", "{{with .Module}}{{if .Main}}{{$.ImportPath}} go{{.GoVersion}}{{end}}{{end}}", "."}

// raised finds the packages of the revision's own module, or modules in a workspace, whose
// language is older than the probes', and asks for the newer one there: in the
// unprobed builds too, or the difference would be one of languages. Each is named
// in full, for a pattern would lower the language of a newer module nested below.
func raised(listed []byte) (gcflags []string) {
	for line := range strings.Lines(string(listed)) {
		// A test variant is "path [path.test] go1.16".
		fields := strings.Fields(line)
		if len(fields) == 0 || !olderThanProbes(strings.TrimPrefix(fields[len(fields)-1], "go")) {
			continue
		}
		if flag := inProbesLanguage(fields[0]); !slices.Contains(gcflags, flag) {
			gcflags = append(gcflags, flag)
		}
	}
	return gcflags
}

func inProbesLanguage(path string) string { return path + "=-lang=" + probesNeed }

// olderThanProbes takes the go line of a go.mod, "" if there is none.
func olderThanProbes(goLine string) bool {
	return goLine == "" || version.Compare("go"+goLine, probesNeed) < 0
}
