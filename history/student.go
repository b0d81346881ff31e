package history

import "gonum.org/v1/gonum/stat/distuv"

// studentQuantile is that of Student's distribution with df degrees of freedom.
func studentQuantile(p, df float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(p)
}
