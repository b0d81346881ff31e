package outside

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Visible is s as it can be shown anywhere: lines and tabs stay, and other control
// and format characters, which move the cursor, turn the direction of writing or can't
// be seen, are written as \u001b. Of a carriage return before a line's end nothing is
// left. What is no UTF-8 becomes U+FFFD.
func Visible(s string) string {
	if !strings.ContainsFunc(s, hidden) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for _, r := range s {
		writeVisible(&b, r)
	}
	return b.String()
}

func writeVisible(b *strings.Builder, r rune) {
	switch {
	case !hidden(r):
		b.WriteRune(r)
	case r > 0xFFFF:
		// As JSON has it, so that what is JSON stays it.
		high, low := (r-0x10000)>>10+0xD800, (r-0x10000)&0x3FF+0xDC00
		fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}

// hidden are the characters that do something, or can't be seen.
func hidden(r rune) bool {
	if ' ' <= r && r < 0x7F {
		return false
	}
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// oneLine is s on one line, with at most width characters.
func oneLine(s string, width int) string {
	return text.Clip(strings.Join(strings.Fields(Visible(atMost(s, 8*width))), " "), width)
}

// atMost is the beginning of s, n bytes of it or a few less: what is cut anyway costs
// no time before.
func atMost(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// Plain is text of a log that a program reads: SARIF or JUnit. It has at most 10,000
// characters.
type Plain string

const longestPlain = 10_000

// PlainOf is s for a log.
func PlainOf(s string) Plain {
	return Plain(text.Clip(Visible(atMost(s, 4*longestPlain)), longestPlain))
}

// Message is s for a message of SARIF, in which brackets and parentheses, as those of
// m[k](x), would be a link (section 3.11.6).
func Message(s string) Plain {
	return Plain(strings.ReplaceAll(string(PlainOf(s)), "](", `\](`))
}
