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
// index come from one pair of processes.
//
// # What a verdict rejects
//
// Each verdict rejects a null hypothesis about one quantity; what that is depends on
// the [Test] that decided ([Comparison].By).
//
//   - [Slower] rejects that bad takes at most MinEffect more than good.
//   - [Faster] rejects that it takes at most MinEffect less.
//   - [Same] rejects both that it takes MinEffect more or beyond and that it takes
//     MinEffect less or beyond (two one-sided tests).
//   - [Mixed], of [Weigh], rejects Slower of one measure and that the other is not slower:
//     of what is typical and of the mean of all.
//
// The quantity is, for
//
//   - [TestWelch], the difference of the means over processes: no equal variances, no
//     pairing. Where processes are slow at times or speed drifts, all of that is noise to
//     it. It narrows a search, where a wrong turn ends before anything is accused, and is
//     for samples that are no pairs.
//   - [TestPaired], the geometric mean of the pairs' ratios: a drift that both processes of
//     a pair see cannot reach it. One wild process in ten still carries it.
//   - [TestRank], the center of these ratios: exact for any noise that falls on both sides
//     alike, as it does on pairs in balanced order. It takes 15 pairs and more, and does
//     not see a cost that few processes pay.
//   - [TestPairs], either of the last two, half of Alpha each, and either may object; Same
//     and Faster are never by the center alone. This decides what accuses.
//   - [TestAuto], the same with Welch's in place of the paired one.
//   - [CompareOver], the geometric mean over all link layouts, those not seen among them:
//     a layout is one value, however many pairs it has. [ShareOver] gives the shares of a
//     difference that are not rejected so, for code that was put back. [Grouped] has the
//     interval alone, with no prior.
//
// [ANOVA] is for more than two sides, and may not decide in a hunt: it knows no
// minimum effect and no pairs.
//
// # What it takes
//
// On simulated machines with drift, wild processes and slow states, whose processes run
// one after the other, a true 1.05x is called slower by 96 pairs at 1 in 7000 in 18 of 100
// comparisons by Welch, 37 by Student's of the pairs, and 82 by TestPairs. Where pairs take
// turns, 8 pairs do in 75, 12 in all, and Welch with 384 in none (testdata/power.txt).
// Over layouts that move ratios by 2 %, 1.1x takes 8 link orders, and 2x three, of which
// nothing has to be known before (testdata/orders.txt).
package stats
