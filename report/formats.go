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
	sheet func(*Sheet, io.Writer) error // nil where what is no hunt has nothing to show
}

// Formats are all there are, in the order in which they are shown.
var Formats = []Format{
	{"text", (*Report).WriteText, (*Suite).WriteText, (*Sheet).WriteText},
	{"html", (*Report).WriteHTML, nil, (*Sheet).WriteHTML},
	{"markdown", (*Report).WriteMarkdown, (*Suite).WriteMarkdown, (*Sheet).WriteMarkdown},
	{"comment", func(r *Report, w io.Writer) error { return r.suite().WriteComment(w) }, (*Suite).WriteComment, nil},
	{"json", (*Report).WriteJSON, (*Suite).WriteJSON, (*Sheet).WriteJSON},
	{"pprof", (*Report).writeBadProfile, nil, nil},
	{"pprof-good", (*Report).writeGoodProfile, nil, nil},
	{"benchfmt", (*Report).WriteBenchfmt, (*Suite).WriteBenchfmt, (*Sheet).WriteBenchfmt},
	{"sarif", func(r *Report, w io.Writer) error { return r.suite().WriteSARIF(w) }, (*Suite).WriteSARIF, nil},
	{"junit", func(r *Report, w io.Writer) error { return r.suite().WriteJUnit(w) }, (*Suite).WriteJUnit, (*Sheet).WriteJUnit},
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
	case f.Sheet != nil && Formats[i].sheet == nil:
		return fmt.Errorf("format %s is of hunts: what %s says names no place in the code and asks for nothing", format, f.Sheet.Job)
	case f.Sheet != nil:
		return Formats[i].sheet(f.Sheet, w)
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
