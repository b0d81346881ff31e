package measure

import (
	"regexp"
	"strconv"
	"strings"
)

// initsRun counts the package initialisations of a process: packages with
// something to do before main, as the runtime traces them. What they took is in
// the trace, too, but time is not taken from a process that counts.
func initsRun(name string) run {
	return run{
		key: "inits", counts: true, single: true, printed: true, anyKind: true,
		set: []string{"GODEBUG=inittrace=1"},
		read: func(r reading) ([]Value, []string) {
			n, allocs, bytes := inits(r.output)
			var notes []string
			if n == 0 {
				notes = append(notes, "the process printed no trace of its initialisation")
			}
			return []Value{{name, "inits/process", n}, {name, "init-allocs/process", allocs}, {name, "init-B/process", bytes}}, notes
		},
	}
}

// A line is "init fmt @0.42 ms, 0.001 ms clock, 32 bytes, 2 allocs".
var initLine = regexp.MustCompile(`^init \S+ @\S+ ms, \S+ ms clock, (\d+) bytes, (\d+) allocs$`)

func inits(output string) (n, allocs, bytes float64) {
	for line := range strings.Lines(output) {
		if m := initLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			b, _ := strconv.ParseFloat(m[1], 64)
			a, _ := strconv.ParseFloat(m[2], 64)
			n, allocs, bytes = n+1, allocs+a, bytes+b
		}
	}
	return n, allocs, bytes
}
