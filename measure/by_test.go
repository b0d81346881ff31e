package measure

import "testing"

func TestAlternative(t *testing.T) {
	for _, c := range []struct {
		by, bench string
		cpus      int
		settings  []Setting
		common    string
		which     string
	}{
		{"alg", "BenchmarkSort/alg=heap/n=10", 2, nil, "BenchmarkSort/n=10-2", "heap"},
		{"alg", "BenchmarkSort/n=10/alg=heap", 2, nil, "BenchmarkSort/n=10-2", "heap"},
		{"alg", "BenchmarkSort/alg=heap-2", 1, nil, "BenchmarkSort", "heap-2"},
		{"ALG", "BenchmarkSort", 2, []Setting{{"ALG", "heap"}, {"N", "10"}}, "BenchmarkSort/N=10-2", "heap"},
		{"size", "BenchmarkSort/alg=heap", 1, nil, "", ""},
	} {
		r := &Result{By: c.by}
		common, which, ok := r.alternative(Scenario{Bench: c.bench, CPUs: c.cpus, Settings: c.settings})
		if ok != (c.which != "") || ok && (common != c.common || which != c.which) {
			t.Errorf("%s by %s: %s of %s, %v", c.bench, c.by, which, common, ok)
		}
	}
}
