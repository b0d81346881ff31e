package hunt

import (
	"context"
	"fmt"
	"go/version"
	"os/exec"
	"strings"
)

// probesNeed is the language version that probes are written in: they are
// generic. It must stay below go1.22, which changed what a loop variable is.
const probesNeed = "go1.18"

// findModule learns the side's module and, if its language is older than the
// probes', asks for the newer one in all its packages: in the unprobed builds
// too, or the difference would be one of languages.
func (h *hunt) findModule(ctx context.Context, s *side) error {
	cmd := exec.CommandContext(ctx, h.gocmd.Cmd, "list", "-m", "-f", "{{.Path}} go{{.GoVersion}}")
	cmd.Dir = s.dir
	cmd.Env = h.gocmd.Env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: finding the module of %s: %w\n%s", s.label, h.opts.Package, err, strings.TrimSpace(stderr.String()))
	}
	// In a workspace there are several.
	for line := range strings.Lines(string(out)) {
		path, lang, _ := strings.Cut(strings.TrimSpace(line), " ")
		if lang == "go" {
			lang = "go1.16" // what no go line means
		}
		if version.Compare(lang, probesNeed) < 0 {
			s.gcflags = append(s.gcflags, path+"/...=-lang="+probesNeed)
		}
	}
	return nil
}
