package serve

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

var (
	targetLine = regexp.MustCompile(`^([A-Z]+) (\S+)$`)
	headerLine = regexp.MustCompile(`^[!-9;-~]+:`)
)

// ReadRequests reads targets as vegeta has them: a line METHOD URL, with headers and @FILE,
// of which the content is the body, on the lines below it; lines that begin with # are
// comments. The URL may be a path alone.
func ReadRequests(r io.Reader) ([]Request, error) {
	var list []Request
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		last := len(list) - 1
		switch m := targetLine.FindStringSubmatch(line); {
		case line == "" || strings.HasPrefix(line, "#"):
		case m != nil:
			list = append(list, Request{Method: m[1], URL: m[2]})
		case last < 0:
			return nil, fmt.Errorf("line %d: %q is no METHOD URL", n, line)
		case strings.HasPrefix(line, "@"):
			body, err := os.ReadFile(line[1:])
			if err != nil {
				return nil, fmt.Errorf("line %d: reading the body: %w", n, err)
			}
			list[last].Body = body
		case headerLine.MatchString(line):
			list[last].Header = append(list[last].Header, line)
		default:
			return nil, fmt.Errorf("line %d: %q is no METHOD URL, no header and no @FILE", n, line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is no METHOD URL in it")
	}
	return list, nil
}
