package callgraph

// ratio is the length of the longest common subsequence of a and b, twice, by
// the length of both: 1 for equal sequences, 0 for disjoint ones.
func ratio(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	return 2 * float64(commonLength(a, b)) / float64(len(a)+len(b))
}

// commonLength is the length of the longest common subsequence.
func commonLength(a, b []string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
