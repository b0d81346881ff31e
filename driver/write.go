package driver

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Marker is how a file begins that may be written over.
const Marker = "// Made by pinpoint driver"

// Benchmark is the name of the benchmark in the file.
func (r *Recording) Benchmark() string { return "BenchmarkPinpoint" + r.target.title() }

// File is the benchmark's file. Without recorded calls it is a skeleton to be filled in.
func (r *Recording) File() ([]byte, error) {
	body, imports := r.skeleton()
	if len(r.calls) > 0 {
		body, imports = r.benchmark()
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s of what tests gave\n// %s.\n\npackage %s\n\nimport (\n", Marker, r.Function, r.target.pkg)
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		as := ""
		if path.Base(imports[name]) != name {
			as = name + " "
		}
		fmt.Fprintf(&b, "%s%q\n", as, imports[name])
	}
	b.WriteString(")\n\n")
	b.WriteString(body)
	out, err := format.Source(b.Bytes())
	if err != nil {
		err = fmt.Errorf("writing the benchmark of %s: %w", r.Function, err)
	}
	return out, err
}

// benchmark has a sub-benchmark per size class, of which an operation is one call of
// each of its inputs. All calls are made in one place, so that the way to the function is one.
func (r *Recording) benchmark() (body string, imports map[string]string) {
	var b strings.Builder
	name := r.Benchmark()
	calls := slices.SortedStableFunc(slices.Values(r.calls), func(a, b call) int { return cmp.Compare(a.Size, b.Size) })
	changed := slices.ContainsFunc(calls, func(c call) bool { return c.Changed })
	imports = map[string]string{"testing": "testing"}
	if r.target.results > 0 {
		imports["runtime"] = "runtime"
	}
	input, makes := "args"+name, func(args []string) string { return "args" + name + "{" + strings.Join(args, ", ") + "}" }
	var fields []string
	for i, spelt := range r.target.spelt {
		fields = append(fields, fmt.Sprintf("a%d %s", i, spelt))
	}
	use := r.target.call(r.target.fields("in."))
	if r.target.generic { // what its types are is known of each input alone
		input, makes, use = "func()", func(args []string) string { return "func() { " + r.target.call(args) + " }" }, "in()"
	} else {
		maps.Copy(imports, r.target.imports)
		fmt.Fprintf(&b, "type %s struct {\n%s\n}\n\n", input, strings.Join(fields, "\n"))
	}
	fmt.Fprintf(&b, "// An operation is one call of each input of its size class.\nfunc %s(b *testing.B) {\n", name)
	for i := 0; i < len(calls); {
		j := i
		for j < len(calls) && classOf(calls[j].Size) == classOf(calls[i].Size) {
			j++
		}
		fmt.Fprintf(&b, "b.Run(%q, func(b *testing.B) { run%s(b, []func() %s{\n", classes[classOf(calls[i].Size)], name, input)
		for _, c := range calls[i:j] {
			fmt.Fprintf(&b, "func() %s {\n", input)
			for _, line := range c.Make {
				b.WriteString(line + "\n")
			}
			args := slices.Clone(c.Args)
			for i, arg := range args {
				if arg != "nil" && !variable.MatchString(arg) {
					args[i] = fmt.Sprintf("a%d", i)
					fmt.Fprintf(&b, "%s := %s\n", args[i], arg)
				}
			}
			fmt.Fprintf(&b, "return %s\n},\n", makes(args))
		}
		b.WriteString("}) })\n")
		i = j
	}
	b.WriteString("}\n\n")
	fmt.Fprintf(&b, map[bool]string{false: unchanged, true: fresh}[changed], "run"+name, input, use)
	return qualified(b.String(), imports), imports
}

// variable is a pointer that has a name already.
var variable = regexp.MustCompile(`^p\d+$`)

const unchanged = `// %s makes the inputs once.
func %[1]s(b *testing.B, inputs []func() %[2]s) {
	calls := make([]%[2]s, len(inputs))
	for i, input := range inputs {
		calls[i] = input()
	}
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n++ {
		for _, in := range calls {
			%[3]s
		}
	}
}
`

const fresh = `// %s makes the inputs anew for each operation: the function changes what it is given.
// That is not timed.
func %[1]s(b *testing.B, inputs []func() %[2]s) {
	const ahead = 64
	calls := make([]%[2]s, 0, ahead*len(inputs))
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += ahead {
		b.StopTimer()
		calls = calls[:0]
		for i := n; i < n+ahead && i < b.N; i++ {
			for _, input := range inputs {
				calls = append(calls, input())
			}
		}
		b.StartTimer()
		for _, in := range calls {
			%[3]s
		}
	}
}
`

// qualified gives packages, which stand as \x00path\x00, the names by which they are
// imported.
func qualified(body string, imports map[string]string) string {
	return placeholder.ReplaceAllStringFunc(body, func(s string) string {
		full := strings.Trim(s, "\x00")
		for name, known := range imports {
			if known == full {
				return name
			}
		}
		base := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
				return r
			}
			return -1
		}, strings.ToLower(path.Base(full)))
		base = strings.TrimLeft(base, "0123456789_")
		name := cmp.Or(base, "pkg")
		if special[name] || variable.MatchString(name) {
			name += "pkg"
		}
		for i := 2; imports[name] != ""; i++ {
			name = fmt.Sprintf("%s%d", base, i)
		}
		imports[name] = full
		return name
	})
}

var placeholder = regexp.MustCompile("\x00[^\x00]*\x00")

// special are names that the file has for something else.
var special = map[string]bool{"b": true, "calls": true, "call": true, "inputs": true, "input": true, "n": true, "i": true, "ahead": true, "in": true, "runtime": true, "testing": true}

// classes are the names of the size classes: powers of 16 bytes.
var classes = []string{"16B", "256B", "4KiB", "64KiB", "1MiB", "16MiB"}

func classOf(size int) int {
	class := 0
	for ; size > 16 && class < len(classes)-1; size /= 16 {
		class++
	}
	return class
}

// skeleton has a variable for each argument, to be filled in by hand.
func (r *Recording) skeleton() (body string, imports map[string]string) {
	imports = map[string]string{"testing": "testing"}
	var b strings.Builder
	name := r.Benchmark()
	fmt.Fprintf(&b, "// %s needs arguments: no call was recorded.\nfunc %s(b *testing.B) {\n", name, name)
	maps.Copy(imports, r.target.imports)
	if r.target.results > 0 {
		imports["runtime"] = "runtime"
	}
	var args []string
	for i, spelt := range r.target.spelt {
		arg := fmt.Sprintf("a%d", i)
		if given := r.target.names[i]; given != "_" && !special[given] && r.target.imports[given] == "" {
			arg = given
		}
		args = append(args, arg)
		for _, f := range r.Refused {
			if strings.HasPrefix(f.Parameter+" ", r.target.names[i]+" ") {
				fmt.Fprintf(&b, "// In a test %s.\n", text.Clip(f.Reason, 100))
			}
		}
		fmt.Fprintf(&b, "var %s %s // fill in\n", arg, spelt)
	}
	fmt.Fprintf(&b, "b.ReportAllocs()\nb.ResetTimer()\nfor n := 0; n < b.N; n++ {\n%s\n}\n}\n", strings.ReplaceAll(r.target.call(args), "; ", "\n"))
	return b.String(), imports
}

// Sizes are the size classes of which there are inputs, the names of sub-benchmarks.
func (r *Recording) Sizes() []string {
	var list []string
	for i, name := range classes {
		if slices.ContainsFunc(r.calls, func(c call) bool { return classOf(c.Size) == i }) {
			list = append(list, name)
		}
	}
	return list
}
