package measure

import (
	"fmt"
	"regexp"
	"strings"
)

// A Matcher chooses functions by their name as the runtime prints it, such as
// example.com/m/pkg.(*T).Method.
type Matcher struct {
	text string
	// what the name is taken apart into; nil and "" match everything
	re       *regexp.Regexp
	pkg      string
	receiver string // "(*T)" or "T"
	name     string // the function's full name, or its last part
	iface    string // an interface that the receiver implements
}

// ParseMatcher reads the forms, of which several joined by & must all match:
//
//	Func, (*T).Method, pkg/path.Func   a name, in full or from any dot or slash on
//	/regexp/                           anywhere in the full name
//	(*T) or (T)                        methods with this receiver
//	pkg:PATH                           functions of a package; PATH/... of those below it, too
//	impl:io.Reader                     methods of types that implement an interface
func ParseMatcher(text string) (Matcher, error) {
	m := Matcher{text: text}
	for part := range strings.SplitSeq(text, "&") {
		part = strings.TrimSpace(part)
		path, isPkg := strings.CutPrefix(part, "pkg:")
		iface, isImpl := strings.CutPrefix(part, "impl:")
		switch {
		case part == "":
			return m, fmt.Errorf("give what to match: a name, /regexp/, (*T), pkg:PATH or impl:INTERFACE")
		case len(part) > 1 && part[0] == '/' && part[len(part)-1] == '/':
			re, err := regexp.Compile(part[1 : len(part)-1])
			if err != nil {
				return m, err
			}
			m.re = re
		case isPkg:
			m.pkg = path
		case isImpl:
			m.iface = iface
		case part[0] == '(' && part[len(part)-1] == ')':
			m.receiver = strings.Trim(part, "()")
		default:
			m.name = part
		}
	}
	return m, nil
}

func (m Matcher) String() string { return m.text }

// Match takes a function's full name and the import path of its package. Interfaces are
// left out: see [implements].
func (m Matcher) Match(name, pkg string) bool {
	switch {
	case m.re != nil && !m.re.MatchString(name):
		return false
	case m.pkg != "" && !matchPackage(m.pkg, pkg):
		return false
	case m.receiver != "" && receiver(name, pkg) != m.receiver:
		return false
	case m.name != "":
		rest, ok := strings.CutSuffix(name, m.name)
		return ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
	}
	return true
}

func matchPackage(pattern, pkg string) bool {
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == below || strings.HasPrefix(pkg, below+"/")
	}
	return pkg == pattern
}

// receiver is "*T" for pkg.(*T).Method, "T" for pkg.T.Method, "" for a function.
func receiver(name, pkg string) string {
	rest, ok := strings.CutPrefix(name, pkg+".")
	if !ok {
		return ""
	}
	if strings.HasPrefix(rest, "(") {
		end := strings.IndexByte(rest, ')')
		return rest[1:max(end, 1)]
	}
	recv, method, ok := strings.Cut(rest, ".")
	if !ok || strings.HasPrefix(method, "func") { // a literal: F.func1
		return ""
	}
	return recv
}
