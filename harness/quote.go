package harness

import "strings"

// Quote makes one line of a command that a shell takes apart again.
func Quote(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = quoteWord(a)
	}
	return strings.Join(quoted, " ")
}

func quoteWord(a string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("@%+=:,./_-", r)
	}
	if a != "" && strings.IndexFunc(a, func(r rune) bool { return !plain(r) }) < 0 {
		return a
	}
	return "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
}

// unquote splits s as the go command splits GOFLAGS: at spaces, where a word
// may be enclosed whole in single or double quotes, without escapes. An open
// quote runs to the end; the go command itself complains about it.
func unquote(s string) []string {
	var words []string
	for s = strings.TrimLeft(s, " \t\r\n"); s != ""; s = strings.TrimLeft(s, " \t\r\n") {
		end, skip := strings.IndexAny(s, " \t\r\n"), 0
		if s[0] == '"' || s[0] == '\'' {
			q := s[:1]
			s = s[1:]
			end, skip = strings.Index(s, q), 1
		}
		if end < 0 {
			return append(words, s)
		}
		words = append(words, s[:end])
		s = s[end+skip:]
	}
	return words
}
