package harness

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestPick(t *testing.T) {
	older, newer := &Go{Root: "/a", Version: "go1.9.7"}, &Go{Root: "/b", Version: "go1.26.1"}
	const told = ": all are built with go1.26.1, so a difference of the toolchains is not seen"
	for _, test := range []struct {
		found []*Go
		want  string
	}{
		{[]*Go{older, newer}, "good asks for go1.9.7, bad asks for go1.26.1" + told},
		{[]*Go{newer, older}, "good asks for go1.26.1, bad asks for go1.9.7" + told},
		{[]*Go{older, newer, older}, "good asks for go1.9.7, bad asks for go1.26.1, HEAD asks for go1.9.7" + told},
		{[]*Go{newer, newer}, ""},
		{[]*Go{newer}, ""},
	} {
		g, warning := pick([]Side{{Label: "good"}, {Label: "bad"}, {Label: "HEAD"}}, test.found)
		if g != newer || warning != test.want {
			t.Errorf("picked %s with the warning %q, want %q", g.Version, warning, test.want)
		}
	}
}

// The go command that is found can be called in any tree and never switches.
func TestFindGo(t *testing.T) {
	offline(t)
	dir := tree(t, "-- go.mod --\nmodule example.com/m\n-- settings --\nGOTOOLCHAIN=go1.99.0\n")
	t.Setenv("GOENV", filepath.Join(dir, "settings"))
	g, warning, err := PickToolchain(t.Context(), Side{Dir: dir}, Side{Dir: dir})
	if err != nil || warning != "" {
		t.Fatal(warning, err)
	}
	cmd := exec.Command(g.Cmd, "env", "GOVERSION", "GOROOT")
	cmd.Dir, cmd.Env = dir, Side{Dir: dir}.Env(g)
	out, err := cmd.CombinedOutput()
	if want := g.Version + "\n" + g.Root + "\n"; err != nil || string(out) != want {
		t.Errorf("it says %s, %v; want %s", out, err, want)
	}
}

func TestFindGoFails(t *testing.T) {
	offline(t)
	dir := tree(t, "-- go.mod --\nmodule example.com/m\n")
	t.Setenv("GOTOOLCHAIN", "go1.99.0")
	_, err := FindGo(t.Context(), dir)
	for _, want := range []string{"asking for the toolchain of " + dir + ": ", "go1.99.0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
}

func TestQuoting(t *testing.T) {
	for _, test := range []struct {
		words []string
		shell string
	}{
		{[]string{"go", "test", "-test.run=^$"}, `go test '-test.run=^$'`},
		{[]string{"a b", "it's", ""}, `'a b' 'it'\''s' ''`},
		{[]string{"plain/-_.:,=@%+9Z"}, `plain/-_.:,=@%+9Z`},
	} {
		if got := Quote(test.words); got != test.shell {
			t.Errorf("Quote(%q) = %s, want %s", test.words, got, test.shell)
		}
		out, err := exec.Command("sh", "-c", `for a in `+test.shell+`; do echo "$a"; done`).Output()
		if want := strings.Join(test.words, "\n") + "\n"; err != nil || string(out) != want {
			t.Errorf("the shell reads %q, %v", out, err)
		}
	}
	for s, want := range map[string]string{
		"": "", "  ": "", "-a  -b=c": "-a|-b=c", `'-a b' "-c d"-e`: "-a b|-c d|-e", `-x='y`: "-x='y", `"open end`: "open end",
	} {
		if got := strings.Join(unquote(s), "|"); got != want {
			t.Errorf("unquote(%s) = %s, want %s", s, got, want)
		}
	}
}
