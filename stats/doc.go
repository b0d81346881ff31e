// Package stats decides whether one set of measurements is slower than
// another, and never claims more than the measurements support.
//
// It promises three things.
//
//   - A verdict of [Slower], [Faster] or [Same] is wrong with at most the
//     probability that the caller allowed ([Rule].Alpha, or what a [Ledger]
//     hands out over a whole hunt). Everything else is [Unknown], with the
//     number of pairs that would probably settle it.
//   - The edges are exact: one sample, samples that don't vary, values near
//     the ends of float64 and error rates as small as 1e-12 give what the
//     formulas give, not what naive arithmetic leaves of them.
//   - It is arithmetic alone: floats in, verdict and warnings out.
//
// A value is what one process contributed (the process is the unit of
// replication: Georges, Buytaert, Eeckhout, "Statistically Rigorous Java
// Performance Evaluation", OOPSLA 2007). Values of a side are taken as
// independent and their mean as normal. Good and bad values of the same index
// come from one pair of processes, run back to back.
//
// Two intervals are computed. The Welch interval of the difference of means
// needs no equal variances and no pairing. The paired interval of log ratios
// cannot be reached by a drift that both processes of a pair see. Welch
// decides and the paired interval may only object, unless [TestPaired] is
// asked for.
package stats
