package outside_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// TestTerminalWhateverComesBefore: blanks and what can't be seen make no command of a
// line, and neither do capitals.
func TestTerminalWhateverComesBefore(t *testing.T) {
	prefixes := []string{"", " ", "\t", "\u00a0", "\u3000", "\x1b", "\ufeff", "\u200b", "\v", "\f", "\r", "\r\r", "\x00", "\u2028", "\u0085", "\xff", "\u202e", "\u2003", "\u180e"}
	cmds := []string{"::error::x", ":\u200b:error::x", "::add-mask::y", "##[error]x", "#\u200b#[error]x", "##vso[task.complete]", "##Vso[task]", "##VSO[a]", "##[", "::stop-commands::z"}
	for _, p := range prefixes {
		for _, c := range cmds {
			var b strings.Builder
			fmt.Fprint(outside.NewTerminal(&b), "a\n"+p+c+"\n")
			for line := range strings.Lines(b.String()) {
				l := strings.TrimSpace(line)
				if strings.HasPrefix(l, "::") || strings.Contains(strings.ToLower(l), "##[") || strings.Contains(strings.ToLower(l), "##vso[") {
					t.Errorf("%q %q -> %q", p, c, b.String())
				}
			}
		}
	}
}
