package outside_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// hostile is what an attacker would write into a subject, a name or an output.
var hostile = []string{
	"plain text, 1 < 2 & x",
	"::error::masked", "  ::stop-commands::x", "\u00a0::add-mask::secret", "a\n\t::error::b", "a\r::error::b", "a\r\n::error::b",
	"##[error]x", "x ##[group]y", "###[section]", "##vso[task.setvariable variable=x]y", "##teamcity[buildStatus status='SUCCESS']",
	"\x1b[2J\x1b]0;title\x07", "\x9b2J", "\u009b31m", "bi\u202edi\u2066", "zero\u200bwidth\ufeff", "line\u2028sep\u0085", "\x00\x7f",
	"\xff\xfe\xc3", "tag\U000e0041",
	"@everyone see #12, GH-3, org/repo#4", "https://evil.example www.evil.example", "a@b.example",
	"[x](javascript:alert(1))", "![x](http://e/x.png)", "<img src=x onerror=alert(1)>", "<!-- pinpoint -->", "</details></summary>",
	"a|b", `a\|b`, "`a`", "```\n</details>\n```", "|\n| --- |\n# head", "*b* _i_ ~s~ $m$ &amp;", "m[k](x)", "%0A::error::x", "a,b:c%25",
}

func TestTerminalObeysNothing(t *testing.T) {
	for _, s := range hostile {
		for _, step := range []int{1, 3, 1000} {
			var b strings.Builder
			w := outside.NewTerminal(&b)
			for rest := s + "\n"; rest != ""; {
				n := min(step, len(rest))
				if wrote, err := w.Write([]byte(rest[:n])); wrote != n || err != nil {
					t.Fatal(wrote, err)
				}
				rest = rest[n:]
			}
			checkLog(t, s, b.String())
		}
	}
}

// checkLog looks for what a terminal or a runner would obey.
func checkLog(t *testing.T, from, got string) {
	t.Helper()
	if !utf8.ValidString(got) {
		t.Errorf("%q became %q, which is no UTF-8", from, got)
	}
	for _, r := range got {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
			t.Errorf("%q became %q, with %U", from, got, r)
		}
	}
	for line := range strings.Lines(got) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Errorf("%q became %q, a command", from, got)
		}
		for _, c := range []string{"##[", "##vso[", "##teamcity["} {
			if strings.Contains(line, c) {
				t.Errorf("%q became %q, a command", from, got)
			}
		}
	}
}

func TestTerminalKeepsWhatIsHarmless(t *testing.T) {
	const s = "é → µs/op 12 %\n\ta::b # c [d] ## [e] : : x\n{\"a\": \"b\"}\n"
	var b strings.Builder
	fmt.Fprint(outside.NewTerminal(&b), s)
	if b.String() != s {
		t.Errorf("%q became %q", s, b.String())
	}
}

// TestTerminalKeepsJSON: what is JSON means the same when it was printed.
func TestTerminalKeepsJSON(t *testing.T) {
	data, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	outside.NewTerminal(&b).Write(data)
	var before, after []string
	if err := json.Unmarshal(data, &before); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(b.String()), &after); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("%q became %q", before, after)
	}
}

func TestAnnotation(t *testing.T) {
	for _, s := range hostile {
		var b strings.Builder
		w := outside.NewTerminal(&b)
		if err := outside.Annotate(outside.Note{Level: outside.Error, File: s, Line: 1, Title: s, Message: s}).Write(w); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if !strings.HasPrefix(got, "::error file=") || strings.Count(got, "\n") != 1 || strings.Contains(got, "\r") {
			t.Errorf("%q became %q, not one command", s, got)
		}
		properties, _, _ := strings.Cut(strings.TrimPrefix(got, "::error "), "::")
		if n := strings.Count(properties, ","); n != 2 {
			t.Errorf("%q became %q, with %d properties", s, got, n+1)
		}
	}
	long := outside.Annotate(outside.Note{Level: outside.Notice, Title: strings.Repeat("x", 1e5), Message: strings.Repeat("y", 1e6)})
	var b strings.Builder
	long.Write(&b)
	if b.Len() > 5000 {
		t.Errorf("a note of %d bytes", b.Len())
	}
}

func TestInline(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a b", "a b"},
		{" a\n\nb ", "a b"},
		{"+12 % [+10, +14]", "+12 % [+10, +14]"},
		{"see @alice #12 GH-3", "see @&#8203;alice #&#8203;12 GH&#8203;-3"},
		{"<b> & [x](y)", `&lt;b&gt; &amp; \[x\](y)`},
		{"https://e.example", "https:&#8203;//e.example"},
		{"x\u202ey", `x\\u202ey`},
	} {
		if got := outside.Inline(c.in).String(); got != c.want {
			t.Errorf("%q became %q, want %q", c.in, got, c.want)
		}
	}
	for _, s := range hostile {
		got := outside.Inline(s).String()
		if strings.ContainsAny(got, "\n<>") || strings.Contains(got, "<!--") || strings.Contains(strings.ReplaceAll(got, `\|`, ""), "|") {
			t.Errorf("%q became %q", s, got)
		}
		if n := len(outside.Inline(strings.Repeat(s, 1000)).String()); n > 40_000 {
			t.Errorf("%d bytes of %q", n, s)
		}
	}
}

// TestCode: nothing leaves the span, nor the cell that it stands in.
func TestCode(t *testing.T) {
	for _, s := range hostile {
		got := outside.Code(s).String()
		if strings.ContainsAny(got, "|\n") {
			t.Errorf("%q became %q, which ends a cell", s, got)
		}
		if body, ok := strings.CutPrefix(got, "<code>"); ok {
			if body = strings.TrimSuffix(body, "</code>"); strings.ContainsAny(body, "<>") {
				t.Errorf("%q became %q", s, got)
			}
			continue
		}
		ticks := got[:len(got)-len(strings.TrimLeft(got, "`"))]
		if body := got[len(ticks) : len(got)-len(ticks)]; strings.Contains(body, ticks) || !strings.HasSuffix(got, ticks) {
			t.Errorf("%q became %q, which ends within", s, got)
		}
	}
}

func TestFence(t *testing.T) {
	got := outside.Fence("a\n````\n</details>\x1b[0m\n").String()
	if want := "`````text\na\n````\n</details>\\u001b[0m\n`````"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNoWayRound: no other package makes a Template, Plain or Level of what is no
// constant.
func TestNoWayRound(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "outside" {
				switch sel.Sel.Name {
				case "Template", "Plain", "Level":
					t.Errorf("%s makes an outside.%s by itself", name, sel.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files, %v", files, err)
	}
}
