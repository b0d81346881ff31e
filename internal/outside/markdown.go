package outside

import (
	"fmt"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Markdown is a piece of a Markdown page in which what came from outside is text and
// nothing else. Its zero value is empty.
type Markdown struct{ s string }

// Template is text that stands in the code. Only constants become one by themselves.
type Template string

func (m Markdown) String() string { return m.s }

// Empty reports whether there is nothing.
func (m Markdown) Empty() bool { return m.s == "" }

// Literal is Markdown that stands in the code.
func Literal(s Template) Markdown { return Markdown{string(s)} }

// Format puts pieces in the places of the verbs %s.
func Format(format Template, pieces ...Markdown) Markdown {
	args := make([]any, len(pieces))
	for i, p := range pieces {
		args[i] = p.s
	}
	return Markdown{fmt.Sprintf(string(format), args...)}
}

// Join puts a separator between pieces.
func Join(pieces []Markdown, separator Template) Markdown {
	list := make([]string, len(pieces))
	for i, p := range pieces {
		list[i] = p.s
	}
	return Markdown{strings.Join(list, string(separator))}
}

// What is longer than a sentence, a name or a program's output needs is cut.
const longestInline, longestName, longestFence = 2000, 300, 100_000

// Inline makes plain text of s, on one line: nothing in it is Markdown or HTML, is a
// link, mentions anybody or an issue, or ends a table's cell.
func Inline(s string) Markdown {
	if strings.Trim(s, "0123456789+-.,%[] ∞") == "" {
		return Markdown{s} // figures with their interval are nothing else
	}
	return Markdown{unlinked.Replace(markdownEscapes.Replace(oneLine(s, longestInline)))}
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "$", `\$`, "!", `\!`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;",
)

// unlinked breaks what is made a link after Markdown was read, when entities and
// backslashes are gone already: by a space of no width.
var unlinked = strings.NewReplacer("@", "@&#8203;", "#", "#&#8203;", "://", ":&#8203;//", "www.", "www&#8203;.", "GH-", "GH&#8203;-")

// Summary makes text within an HTML element of s.
func Summary(s string) Markdown {
	return Markdown{unlinked.Replace(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(oneLine(s, longestName)))}
}

// Code sets s as code on one line, also in a table's cell: a bar would end the cell
// there, however it is escaped.
func Code(s string) Markdown {
	s = oneLine(s, longestName)
	if s == "" {
		return Markdown{}
	}
	if strings.Contains(s, "|") {
		return Markdown{"<code>" + strings.ReplaceAll(Inline(s).s, `\|`, "&#124;") + "</code>"}
	}
	ticks := strings.Repeat("`", longestRun(s)+1)
	if len(ticks) > 1 {
		return Markdown{ticks + " " + s + " " + ticks}
	}
	return Markdown{ticks + s + ticks}
}

// Fence sets lines as they are.
func Fence(s string) Markdown { return FenceAs("text", s) }

// FenceAs sets lines as they are, in the colours of a language.
func FenceAs(language Template, s string) Markdown {
	s = text.Clip(strings.TrimRight(Visible(atMost(s, 4*longestFence)), "\n"), longestFence)
	ticks := strings.Repeat("`", max(3, longestRun(s)+1))
	return Markdown{ticks + string(language) + "\n" + s + "\n" + ticks}
}

// longestRun is the number of backticks in a row.
func longestRun(s string) int {
	longest, n := 0, 0
	for _, c := range s {
		if c != '`' {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}
