package main

import "strings"

// indent puts two blanks before every line.
func indent(text string) string {
	return "  " + strings.ReplaceAll(text, "\n", "\n  ")
}
