package main

import (
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
