package text

import (
	"fmt"
	"slices"
	"strings"
)

// First are so many of a list at most; where there are more, a last one says how many:
// "and 3 more".
func First(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	return append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", len(list)-most))
}

// Join is [First] in a line: "a, b and 3 more", where sep is a comma and a blank.
func Join(list []string, sep string, most int) string {
	if len(list) <= most {
		return strings.Join(list, sep)
	}
	return strings.Join(list[:most], sep) + fmt.Sprintf(" and %d more", len(list)-most)
}
