package text

import (
	"fmt"
	"slices"
	"strings"
)

// More is what stands for so many that are left out.
func More(n int) string { return fmt.Sprintf("and %d more", n) }

// First are so many of a list at most; where there are more, a last one says how many:
// "and 3 more".
func First(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	return append(slices.Clone(list[:most]), More(len(list)-most))
}

// Join is [First] in a line: "a, b and 3 more", where sep is a comma and a blank.
func Join(list []string, sep string, most int) string {
	if len(list) <= most {
		return strings.Join(list, sep)
	}
	return strings.Join(list[:most], sep) + " " + More(len(list)-most)
}
