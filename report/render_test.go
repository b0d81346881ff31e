package report_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/pinpoint-go/pinpoint/report"
)

// rendered is what a renderer makes of GitHub's Markdown, raw HTML let through.
func rendered(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe(), html.WithXHTML()))
	if err := md.Convert(text, &b); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), "<!-- pinpoint -->", "") // by which the comment is found again
}

// A renderer makes of the Markdown what is meant: whole elements, tables with all of
// their rows, and changes as code.
func TestMarkdownRenders(t *testing.T) {
	for name, r := range reports(t) {
		f := &report.File{Hunt: r}
		page := rendered(t, drawn(t, f, "markdown"))
		tags := htmlTags(t, name, page)
		if strings.Contains(page, "<p>|") || strings.Contains(page, "<p>```") {
			t.Errorf("%s: a table or a block of code is shown as text:\n%s", name, page)
		}
		for _, c := range r.Culprits {
			if c.Diff != "" && !strings.Contains(page, `<code class="language-diff">`) {
				t.Errorf("%s: the change is no code", name)
			}
		}
		if tags["script"] > 0 {
			t.Errorf("%s: a script", name)
		}
	}
	for name, s := range suites(t) {
		for _, format := range []string{"markdown", "comment"} {
			page := rendered(t, drawn(t, &report.File{Suite: s}, format))
			htmlTags(t, name, page)
			if strings.Contains(page, "<p>|") || strings.Contains(page, "<p>```") {
				t.Errorf("%s, %s: a table or a block of code is shown as text:\n%s", name, format, page)
			}
		}
	}
}

// Whatever is written into a report stays text for a renderer, too.
func TestMarkdownHostile(t *testing.T) {
	const evil = "</code>`</details><script>alert(1)</script> | [x](javascript:alert(1)) ```\n```\n<img src=x onerror=alert(1)>"
	r := reports(t)["testdata/proofs"]
	poison(reflect.ValueOf(r).Elem(), evil)
	r.Verdict, r.Whole.Unit = report.Regression, "ns/op"
	f := &report.File{Hunt: r}
	for _, format := range []string{"markdown", "comment"} {
		page := rendered(t, drawn(t, f, format))
		if tags := htmlTags(t, format, page); tags["script"] > 0 || tags["img"] > 0 || tags["a"] > 0 {
			t.Errorf("%s: what the report says became part of the page: %v\n%s", format, tags, page)
		}
		if !strings.Contains(page, "&lt;script&gt;alert(1)") {
			t.Errorf("%s: the text is not there:\n%s", format, page)
		}
	}
}
