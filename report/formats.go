package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Format is one that a file can be drawn in.
type Format struct {
	Name  string
	hunt  func(*Report, io.Writer) error
	suite func(*Suite, io.Writer) error // nil where one file holds no more than one hunt
}

// Formats are all there are, in the order in which they are shown.
var Formats = []Format{
	{"text", (*Report).WriteText, (*Suite).WriteText},
	{"html", (*Report).WriteHTML, nil},
	{"markdown", (*Report).WriteMarkdown, (*Suite).WriteMarkdown},
	{"comment", func(r *Report, w io.Writer) error { return r.suite().WriteComment(w) }, (*Suite).WriteComment},
	{"json", (*Report).WriteJSON, (*Suite).WriteJSON},
	{"pprof", (*Report).writeBadProfile, nil},
	{"pprof-good", (*Report).writeGoodProfile, nil},
	{"benchfmt", (*Report).WriteBenchfmt, (*Suite).WriteBenchfmt},
	{"sarif", func(r *Report, w io.Writer) error { return r.suite().WriteSARIF(w) }, (*Suite).WriteSARIF},
	{"junit", func(r *Report, w io.Writer) error { return r.suite().WriteJUnit(w) }, (*Suite).WriteJUnit},
}

// FormatNames are those of Formats.
func FormatNames() []string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// Write draws the file in a format.
func (f *File) Write(w io.Writer, format string) error {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == format })
	switch {
	case i < 0:
		return fmt.Errorf("format %q: choose one of %s", format, strings.Join(FormatNames(), ", "))
	case f.Hunt != nil:
		return Formats[i].hunt(f.Hunt, w)
	case Formats[i].suite == nil:
		return fmt.Errorf("a file of several benchmarks has no %s: draw the report of one hunt", format)
	case f.Joint != nil && format == "text":
		return f.Joint.WriteText(w)
	case f.Joint != nil && format == "json":
		return f.Joint.WriteJSON(w)
	case f.Joint != nil:
		return Formats[i].suite(f.Joint.suite(), w)
	}
	return Formats[i].suite(f.Suite, w)
}
