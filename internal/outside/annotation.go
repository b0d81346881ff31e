package outside

import (
	"fmt"
	"io"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// An Annotation is a workflow command by which a GitHub job puts a note beside a line
// of code.
type Annotation struct{ s string }

// Level is how much a note matters.
type Level string

// The levels that there are.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// Note says what a note is to say, and where. A note without a file stands
// in the log only.
type Note struct {
	Level     Level
	File      string
	Line, Col int // from 1; a column of 0 is not known
	Title     string
	Message   string
}

// The runner cuts off what is longer.
const longestTitle, longestMessage = 255, 4000

// Annotate makes a workflow command of a note.
func Annotate(n Note) Annotation {
	var properties []string
	if n.File != "" {
		properties = append(properties, "file="+escapeProperty(oneLine(n.File, longestMessage)), fmt.Sprintf("line=%d", n.Line))
		if n.Col > 0 {
			properties = append(properties, fmt.Sprintf("col=%d", n.Col))
		}
	}
	properties = append(properties, "title="+escapeProperty(oneLine(n.Title, longestTitle)))
	message := escapeData(text.Clip(Visible(atMost(n.Message, 4*longestMessage)), longestMessage))
	return Annotation{"::" + string(n.Level) + " " + strings.Join(properties, ",") + "::" + message + "\n"}
}

// Write writes the command: to a Terminal as the one thing that it obeys.
func (a Annotation) Write(w io.Writer) error {
	if t, ok := w.(*Terminal); ok {
		return t.command(a)
	}
	_, err := io.WriteString(w, a.s)
	return err
}

// The runner takes a command's message to the end of the line, and its properties
// apart at colons and commas.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}
