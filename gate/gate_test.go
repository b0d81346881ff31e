package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What each format says of the same: Encode got slower by a half, Sort twice as slow, and
// Parse faster.
var files = map[string][]string{
	"two outputs": {`goos: linux
pkg: example.com/m
BenchmarkEncode-8   	 1000	 100 ns/op	 3 B/op
BenchmarkEncode-8   	 1000	 104 ns/op	 3 B/op
BenchmarkSort/n=10-8 	 1000	 10 ns/op
BenchmarkParse-8   	 1000	 10 ns/op
BenchmarkOld-8   	 1000	 10 ns/op
PASS
`, `goos: linux
pkg: example.com/m
BenchmarkEncode-8   	 1000	 153 ns/op	 9 B/op
BenchmarkSort/n=10-8 	 1000	 20 ns/op
BenchmarkParse-8   	 1000	 9 ns/op
BenchmarkNew-8   	 1000	 10 ns/op
`},
	"benchstat": {`goos: linux
pkg: example.com/m
            │  old.txt   │              new.txt               │
            │   sec/op   │   sec/op     vs base               │
Encode-8      100.0n ± 1%   150.0n ± 2%  +50.00% (p=0.002 n=6)
Sort/n=10-8   10.00n ± 1%   20.00n ± 2%  +100.00% (p=0.002 n=6)
Noise-8       10.00n ± 9%   11.00n ± 9%        ~ (p=0.300 n=6)
Parse-8       10.00n ± 1%   9.000n ± 2%  -10.00% (p=0.002 n=6)
geomean       22.00n        33.00n       +50.00%

            │  old.txt   │              new.txt               │
            │    B/op    │    B/op      vs base               │
Parse-8       10.00 ± 1%    20.00 ± 2%  +100.00% (p=0.002 n=6)
`},
	"benchstat's CSV": {`goos: linux
pkg: example.com/m
,old.txt,,new.txt,,,
,sec/op,CI,sec/op,CI,vs base,P
Encode-8,1e-07,1%,1.5e-07,2%,+50.00%,p=0.002 n=6
Sort/n=10-8,1e-08,1%,2e-08,2%,+100.00%,p=0.002 n=6
Noise-8,1e-08,9%,1.1e-08,9%,~,p=0.300 n=6
Parse-8,1e-08,1%,9e-09,2%,-10.00%,p=0.002 n=6
geomean,2.2e-08,,3.3e-08,,+50.00%,
`},
	"an older benchstat": {`name          old time/op    new time/op    delta
Encode-8         100ns ± 1%     150ns ± 2%   +50.00%  (p=0.002 n=6+6)
Sort/n=10-8     10.0ns ± 1%    20.0ns ± 2%  +100.00%  (p=0.002 n=6+6)
Parse-8         10.0ns ± 1%     9.0ns ± 2%   -10.00%  (p=0.002 n=6+6)

name          old alloc/op   new alloc/op   delta
Parse-8         10.0B ± 0%      20.0B ± 0%  +100.00%  (p=0.002 n=6+6)
`},
	"github-action-benchmark": {`window.BENCHMARK_DATA = {"lastUpdate": 2, "entries": {"Go": [
{"benches": [{"name": "BenchmarkEncode", "value": 9, "unit": "ns/op"}]},
{"benches": [{"name": "BenchmarkEncode", "value": 100, "unit": "ns/op\t0 B/op"}, {"name": "BenchmarkEncode - ns/op", "value": 100, "unit": "ns/op"},
 {"name": "BenchmarkSort/n=10 (example.com/m)", "value": 10, "unit": "ns/op"}, {"name": "BenchmarkParse", "value": 10, "unit": "ns/op"}]},
{"benches": [{"name": "BenchmarkEncode - ns/op", "value": 150, "unit": "ns/op"}, {"name": "BenchmarkEncode - B/op", "value": 1, "unit": "B/op"},
 {"name": "BenchmarkSort/n=10 (example.com/m)", "value": 20, "unit": "ns/op"}, {"name": "BenchmarkParse", "value": 9, "unit": "ns/op"}]}
]}}`},
	"gobenchdata": {`[
{"Date": 30, "Suites": [{"Pkg": "example.com/m", "Benchmarks": [{"Name": "BenchmarkEncode", "NsPerOp": 150}, {"Name": "BenchmarkSort/n=10", "NsPerOp": 20}, {"Name": "BenchmarkParse", "NsPerOp": 9}]}]},
{"Date": 20, "Suites": [{"Pkg": "example.com/m", "Benchmarks": [{"Name": "BenchmarkEncode", "NsPerOp": 100}, {"Name": "BenchmarkSort/n=10", "NsPerOp": 10}, {"Name": "BenchmarkParse", "NsPerOp": 10}]}]},
{"Date": 10, "Suites": [{"Pkg": "example.com/m", "Benchmarks": [{"Name": "BenchmarkEncode", "NsPerOp": 1}]}]}]`},
}

func write(t *testing.T, contents []string) (names []string) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range contents {
		names = append(names, filepath.Join(dir, fmt.Sprint(i)))
		if err := os.WriteFile(names[i], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

func TestRead(t *testing.T) {
	for what, contents := range files {
		alarms, err := Read(write(t, contents), 0.05)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		var got []string
		for _, a := range alarms {
			got = append(got, fmt.Sprintf("%s %.1f", a.Names()[0], a.Ratio))
			if a.Package != "" && a.Package != "example.com/m" {
				t.Errorf("%s: package %q", what, a.Package)
			}
		}
		if want := "BenchmarkSort/n=10 2.0, BenchmarkEncode 1.5"; strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %s", what, got, want)
		}
	}
}

func TestReadNames(t *testing.T) {
	for text, want := range map[string]string{
		"# a list\n\nBenchmarkA\nexample.com/m/x.BenchmarkB/n=1.5-8\nexample.com/m TestC\n": "{BenchmarkA } {BenchmarkB/n=1.5-8 example.com/m/x} {TestC example.com/m}",
		`<testsuites><testsuite name="example.com/m"><testcase name="TestSlow/sub" classname="m" time="61.5"><failure message="panic: test timed out"/></testcase>
<testcase name="TestFine" classname="m"/><testcase name="TestMain" classname=""><failure message="Failed">panic: test timed out after 1s</failure></testcase><testcase name="BenchmarkD" classname="example.com/n"><error/></testcase></testsuite></testsuites>`: "{TestSlow example.com/m} {BenchmarkD example.com/n}",
	} {
		alarms, err := Read(write(t, []string{text}), 0.05)
		var got []string
		for _, a := range alarms {
			got = append(got, fmt.Sprintf("{%s %s}", a.Name, a.Package))
		}
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("%.20q: %q, %v, want %s", text, got, err, want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	out := files["two outputs"][0]
	for want, contents := range map[string][]string{
		"give two":                     {out},
		"3 outputs":                    {out, out, out},
		"names no benchmark or test":   {"BenchmarkA\nsomething else\n"},
		"no entries":                   {`{"a": 1}`},
		"one run":                      {"[{}]"},
		"unexpected end of JSON input": {`[{"Date": 1`},
		"it is empty":                  {"\n"},
		"no test cases":                {"<html></html>"},
	} {
		if _, err := Read(write(t, contents), 0.05); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", contents, err, want)
		}
	}
}
