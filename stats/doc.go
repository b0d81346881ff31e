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
// Performance Evaluation", OOPSLA 2007). For the means, values of a side are
// taken as independent and their mean as normal. Good and bad values of the same
// index come from one pair of processes, run back to back.
//
// Three intervals answer the same question, and a [Rule] says which of them
// decides.
//
//   - Welch's, of the difference of means: no equal variances, no pairing. Quick
//     where the difference is large; where processes are slow at times or speed
//     drifts, all of that is noise to it.
//   - The paired one, of log ratios: a drift that both processes of a pair see
//     cannot reach it. One wild process in ten still carries it.
//   - The ranks of the pairs' ratios ([TestRank]): exact for any noise that
//     falls on both sides alike, as it does on pairs run back to back in balanced
//     order. It takes 15 pairs and more, and sees the center of the processes:
//     a cost that few processes pay is left to the means.
//
// [ANOVA] is for more than two sides, and may not decide in a hunt: it knows no
// minimum effect and no pairs. Pairs of several link layouts are for [Grouped].
//
// [TestAuto] gives Welch and the ranks half of the error each, and lets either
// object to the other. At a true 1.05x, 1 in 1000 and 96 pairs, on simulated
// machines with drift, wild processes and slow states, Welch decides 0-7 %, pairs
// 2-100 %, ranks 65-100 % and auto 59-100 %.
package stats
