package instrument

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func benchmarkSource(t *testing.T) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(gorootOf(t), "src", "testing", "benchmark.go"))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// Deleting what was inserted gives the file back, and no line moves.
func TestTestingHookOnlyInserts(t *testing.T) {
	src := benchmarkSource(t)
	got, err := TestingHook(src)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Count(got, []byte("\n")) != bytes.Count(src, []byte("\n")) {
		t.Error("lines have moved")
	}
	for _, text := range []string{
		"pinpointStart(); ", " pinpointPause();", " pinpointForget();", "pinpointReset(); ",
		"pinpointRun(b); ", "pinpointRecord(b); ", " pinpointParallel(body);",
		"pinpointRepeat(b); ", "if pinpointCollects() { ",
	} {
		if bytes.Count(got, []byte(text)) != 1 {
			t.Errorf("%q is not there once", text)
		}
		got = bytes.Replace(got, []byte(text), nil, 1)
	}
	got = bytes.Replace(got, []byte("runtime.GC() }"), []byte("runtime.GC()"), 1)
	if !bytes.Equal(got, src) {
		t.Error("something else has changed")
	}
}

func TestTestingHookNamesWhatIsMissing(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"func (b *B) StopTimer() {", "func (b *B) HaltTimer() {", "no method (*B).StopTimer"},
		{"func (b *B) RunParallel(", "func RunParallel(b *B, ", "no method (*B).RunParallel"},
		{"func (b *B) StartTimer() {\n\tif !b.timerOn", "func (b *B) StartTimer() {\n\tif !b.running()", "no b.timerOn tested and set in (*B).StartTimer"},
		{"\tb.benchFunc(b)\n", "\tb.call()\n", "no call of b.benchFunc in (*B).runN"},
		{"\truntime.GC()\n", "\tcollect()\n", "no call of runtime.GC in (*B).runN"},
		{"func (b *B) launch() {", "func (b *B) start() {", "no method (*B).launch"},
		{"\tb.result = ", "\tb.outcome = ", "no assignment to b.result in (*B).launch"},
		{"package testing", "package", "parsing|expected"},
	} {
		src := string(benchmarkSource(t))
		if !strings.Contains(src, c.old) {
			t.Errorf("benchmark.go has no %q", c.old)
			continue
		}
		_, err := TestingHook([]byte(strings.Replace(src, c.old, c.new, 1)))
		if err == nil || !containsAny(err.Error(), strings.Split(c.want, "|")) {
			t.Errorf("without %q: error %v, want %q", c.old, err, c.want)
		}
	}
}

func containsAny(s string, texts []string) bool {
	for _, text := range texts {
		if strings.Contains(s, text) {
			return true
		}
	}
	return false
}

func TestRuntimeFilesRefuses(t *testing.T) {
	root := t.TempDir()
	if _, err := runtimeFiles(root, MeterTime); err == nil {
		t.Error("a GOROOT without src/debug")
	}
	own := filepath.Join(root, "src", "debug", "own.go")
	if err := os.MkdirAll(filepath.Dir(own), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte("package debug\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := runtimeFiles(root, MeterTime); err == nil || !strings.Contains(err.Error(), "Go files of its own") {
		t.Errorf("a GOROOT whose src/debug is a package: error %v", err)
	}
}
