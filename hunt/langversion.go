package hunt

import (
	"context"
	"fmt"
	"go/version"
	"os/exec"
	"slices"
	"strings"
)

// probesNeed is the language version that probes are written in: they are
// generic. It must stay below go1.22, which changed what a loop variable is.
const probesNeed = "go1.18"

// raiseLanguage finds the packages of the side's own module, or modules in a
// workspace, whose language is older than the probes', and asks for the newer one
// there: in the unprobed builds too, or the difference would be one of languages.
// Each is named in full, for a pattern would lower the language of a newer module
// nested below.
func (h *hunt) raiseLanguage(ctx context.Context, s *side) error {
	args := []string{"list", "-e", "-deps", "-test", "-f", "{{with .Module}}{{if .Main}}{{$.ImportPath}} go{{.GoVersion}}{{end}}{{end}}"}
	side := h.buildable(s, nil)
	if h.opts.Tags != "" {
		args = append(args, "-tags="+h.opts.Tags)
	}
	cmd := exec.CommandContext(ctx, h.gocmd.Cmd, append(args, ".")...)
	cmd.Dir = s.dir
	cmd.Env = side.Env(h.gocmd)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: listing the packages of %s: %w\n%s", s.label, h.opts.Package, err, strings.TrimSpace(stderr.String()))
	}
	for line := range strings.Lines(string(out)) {
		// A test variant is "path [path.test] go1.16".
		fields := strings.Fields(line)
		if len(fields) == 0 || !olderThanProbes(strings.TrimPrefix(fields[len(fields)-1], "go")) {
			continue
		}
		if flag := fields[0] + "=-lang=" + probesNeed; !slices.Contains(s.gcflags, flag) {
			s.gcflags = append(s.gcflags, flag)
		}
	}
	return nil
}

// olderThanProbes takes the go line of a go.mod, "" if there is none.
func olderThanProbes(goLine string) bool {
	return goLine == "" || version.Compare("go"+goLine, probesNeed) < 0
}
