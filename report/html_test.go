package report_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/report"
)

var (
	htmlTag  = regexp.MustCompile(`<(/?)([a-zA-Z!][a-zA-Z0-9]*)([^>]*)>`)
	htmlVoid = map[string]bool{"!DOCTYPE": true, "meta": true, "br": true, "line": true}
)

// htmlTags are the tags of a page, which has to be well formed: each that is opened is
// closed in order. It gives how many there are of each.
func htmlTags(t *testing.T, name, page string) map[string]int {
	t.Helper()
	count := make(map[string]int)
	var open []string
	for _, m := range htmlTag.FindAllStringSubmatch(page, -1) {
		closes, tag, rest := m[1] == "/", m[2], m[3]
		count[tag]++
		switch {
		case htmlVoid[tag] || strings.HasSuffix(rest, "/"):
		case !closes:
			open = append(open, tag)
		case len(open) == 0 || open[len(open)-1] != tag:
			t.Fatalf("%s: </%s> closes %v", name, tag, open)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: not closed: %v", name, open)
	}
	return count
}

func htmlPages(t *testing.T) map[string]string {
	pages := make(map[string]string)
	for name, r := range reports(t) {
		pages[name] = string(written(t, r.WriteHTML))
	}
	return pages
}

// A page is whole, and nothing in it runs, is fetched or needs a style of its own: it can
// be read under the strictest policy, also where its one style is dropped.
func TestHTMLNeedsNothing(t *testing.T) {
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`)
	for name, page := range htmlPages(t) {
		tags := htmlTags(t, name, page)
		for _, tag := range []string{"script", "link", "img", "iframe", "object", "embed", "a", "form", "base", "image", "use"} {
			if tags[tag] > 0 {
				t.Errorf("%s: has <%s>", name, tag)
			}
		}
		for _, m := range htmlTag.FindAllString(page, -1) {
			if regexp.MustCompile(`\s(style|src|href|on[a-z]+)=`).MatchString(m) {
				t.Errorf("%s: %s", name, m)
			}
		}
		css := style.FindStringSubmatch(page)
		if css == nil || tags["style"] != 2 {
			t.Fatalf("%s: not one style", name)
		}
		if strings.Contains(css[1], "url(") && !strings.Contains(css[1], "url(#hatch)") || strings.Contains(css[1], "@import") {
			t.Errorf("%s: the style fetches", name)
		}
		sum := sha256.Sum256([]byte(css[1]))
		if want := "style-src &#39;sha256-" + strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "+", "&#43;") + "&#39;"; !strings.Contains(page, want) {
			t.Errorf("%s: the policy does not allow the style, want %s", name, want)
		}
		if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") || strings.Contains(page, "ZgotmplZ") {
			t.Errorf("%s: what is no number or was refused is on the page", name)
		}
		if n := len(page); n > 1_000_000 {
			t.Errorf("%s: %d bytes", name, n)
		}
	}
}

// The parts of a page are in the order in which they are asked for.
func TestHTMLOrder(t *testing.T) {
	page := htmlPages(t)["testdata/proofs"]
	from := 0
	for _, part := range []string{
		"<h1>BenchmarkEncode: slower, 6.09x", "typical operation", "mean of all", "Culprit: <code>", "Suspected, by probes: <code>", "To do the same again",
		"The proof", "97 % [93, 101] of the difference is gone", "3 link orders: 5.80x to 6.30x", "The way to it", "step by step", "Not explained",
		"Evidence", "it allocates 3 times instead of once", "What was tried", "codec.pad with codec.align", "does not compile", "What the hunt did",
		"How it was measured", "GOMAXPROCS=2", "&#34;schema&#34;: &#34;pinpoint/report/v1&#34;",
	} {
		at := strings.Index(page[from:], part)
		if at < 0 {
			t.Fatalf("no %q after what comes before it", part)
		}
		from += at
	}
}

// Every pair is drawn, each side by a shape of its own, and the same in words.
func TestHTMLPictures(t *testing.T) {
	r := hunt(t).Hunt
	page := string(written(t, r.WriteHTML))
	for _, want := range []string{
		`class="join"`, "good, round 6:", "bad, round 6:", "put back, round 6:", "bad: mean ", "(*ListBuffer).Size: ", "beside it: ", `class="rest"`,
		`aria-label="what one operation spends on the way to the culprit, in good and in bad"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	if got, want := strings.Count(page, ", round "), 4*r.Whole.Pairs; got != want {
		t.Errorf("%d samples are drawn, want %d", got, want)
	}
	shapes := make(map[string]map[string]bool)
	for _, m := range regexp.MustCompile(`<path d="M[-0-9. ]+([a-z])[^"]*" class="([a-z]+)"`).FindAllStringSubmatch(page, -1) {
		if shapes[m[2]] == nil {
			shapes[m[2]] = map[string]bool{}
		}
		shapes[m[2]][m[1]] = true
	}
	if fmt.Sprint(shapes) != "map[back:map[h:true] bad:map[l:true] good:map[a:true]]" {
		t.Errorf("shapes %v", shapes)
	}
}

// hostilePage is the page of a report with the same text in each of its fields.
func hostilePage(t *testing.T) string {
	const evil = "</code></title></style><script>alert(1)</script>\" onload=\"x\x1b[2J\u202e"
	r := reports(t)["testdata/proofs"]
	r.Bisect = &report.Bisect{FirstBad: &report.Commit{}, Steps: []report.BisectStep{{}}}
	poison(reflect.ValueOf(r).Elem(), evil)
	r.Verdict, r.Whole.Unit = report.Regression, "ns/op"
	return string(written(t, r.WriteHTML))
}

// Whatever is written into a report stays text, in each of its fields.
func TestHTMLHostile(t *testing.T) {
	page := hostilePage(t)
	tags := htmlTags(t, "hostile", page)
	if tags["script"] > 0 || tags["title"] == 0 || strings.ContainsAny(page, "\x1b\u202e") {
		t.Errorf("what the report says became part of the page: %v", tags)
	}
	for _, m := range htmlTag.FindAllString(page, -1) {
		if strings.Contains(m, "onload=") {
			t.Errorf("an attribute: %s", m)
		}
	}
	if !strings.Contains(page, "&lt;script&gt;alert(1)") {
		t.Error("the text is not on the page")
	}
}

// poison puts a text into every string that v holds.
func poison(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + text)
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem(), text)
		}
	case reflect.Slice:
		for i := range v.Len() {
			poison(v.Index(i), text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			poison(v.Field(i), text)
		}
	}
}

// A hunt of any size fits on a page, which says what it leaves out.
func TestHTMLSize(t *testing.T) {
	r := hunt(t).Hunt
	c := &r.Culprits[0]
	c.Diff = strings.Repeat("+ a line of the change that is longer than most of them are\n", 50_000)
	c.Allocations = &report.Allocations{Sites: make([]report.AllocationSite, 20_000)}
	for i := range 3000 {
		k := r.Provenance.Campaigns[0]
		k.What = fmt.Sprint("layer ", i)
		r.Provenance.Campaigns = append(r.Provenance.Campaigns, k)
		r.Tried = append(r.Tried, report.Trial{Functions: []string{"f"}, Outcome: report.TrialCleared})
		r.Undecided = append(r.Undecided, report.Undecided{Function: "f", Delta: c.Delta})
		r.Warnings = append(r.Warnings, "a warning")
		r.Search.Phases = append(r.Search.Phases, report.Phase{What: "layer"})
		r.Provenance.Refused = append(r.Provenance.Refused, report.Refused{Text: "f()"})
	}
	for i := range r.Provenance.Campaigns[:1] {
		k := &r.Provenance.Campaigns[i]
		for len(k.Good) < 5000 {
			k.Good, k.Bad = append(k.Good, k.Good...), append(k.Bad, k.Bad...)
		}
	}
	page := string(written(t, r.WriteHTML))
	if len(page) > 1_000_000 {
		t.Errorf("%d bytes", len(page))
	}
	for _, want := range []string{"more lines of the change", "has no room here"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
}

// A real browser has nothing to complain of, and its tree has what the page says.
func TestHTMLInBrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" || testing.Short() {
		t.Skip("no browser, or no time for it")
	}
	if said, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(), "--dump-dom", "data:text/html,<p>here").CombinedOutput(); err != nil {
		t.Skipf("the browser opens no page at all: %v\n%s", err, said)
	}
	dom := inBrowser(t, browser, string(written(t, hunt(t).Hunt.WriteHTML)))
	if !strings.Contains(dom, "<h1>BenchmarkRun: slower") || !strings.Contains(dom, "</svg>") {
		t.Errorf("the page is\n%.2000s", dom)
	}
	hostile := htmlTags(t, "hostile, in a browser", strings.ReplaceAll(inBrowser(t, browser, hostilePage(t)), "</line>", ""))
	if hostile["script"] > 0 || hostile["details"] == 0 {
		t.Errorf("what the report says became part of the page: %v", hostile)
	}
}

// inBrowser is what a browser makes of a page, under the page's own policy. A page that
// the browser complains of fails the test.
func inBrowser(t *testing.T, browser, page string) string {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "hunt.html")
	if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+name)
	var said strings.Builder
	cmd.Stderr = &said
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if strings.Contains(said.String(), ":CONSOLE") {
		t.Errorf("the console says\n%s", said.String())
	}
	return string(dom)
}
