package main

import (
	"os"
	"strings"
	"testing"
)

// TestMeasurable: on Windows code is read, and what measures says that it can't.
func TestMeasurable(t *testing.T) {
	root := rootCommand(new(int), &tracing{})
	for _, line := range []string{"layers", "history check", "history", "report", "cache clean", "help"} {
		cmd, _, err := root.Find(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := measurable(cmd, "windows"); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{"find", "compare", "ci", "measure", "bisect", "demo", "doctor", "driver", "probe"} {
		cmd, _, err := root.Find([]string{line})
		if err != nil {
			t.Fatal(err)
		}
		if measurable(cmd, "windows") == nil {
			t.Errorf("%s is not refused", line)
		}
		if err := measurable(cmd, "linux"); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestUnprinted: what could not be printed is no success.
func TestUnprinted(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	var stderr strings.Builder
	if status := pinpoint([]string{"--version"}, full, &stderr); status != exitFailed || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("%d: %s", status, stderr.String())
	}
}
