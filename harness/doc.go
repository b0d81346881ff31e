// Package harness builds the two sides of a comparison and runs them.
//
// What it promises:
//
//   - Nothing is measured while something builds, and nothing is measured
//     beside something else (see machine). That holds for all the pinpoints of
//     one machine: they take turns (see hall) pair by pair, and none is split.
//   - Every sample comes from a fresh process: own process group, reduced and
//     recorded environment, working directory as go test gives it, standard
//     input from nowhere or from the workload. The group is killed whole when
//     the process ends, hangs or is given up.
//   - What the program prints never mixes with what is measured. Results travel
//     over a mapped file, the board of package instrument, on descriptor 3; of
//     the output the last 64 KB are kept, for error messages only.
//   - A process that did not do its job is an error, never a sample: a non-zero
//     exit, a signal, a hang, an exit 0 without a result.
//
// How: [FindGo] or [PickToolchain] finds the one go command for both sides,
// [Go.Build] makes a binary of each, [Calibrate] decides how many iterations and
// batches a process runs, [Campaign.Rounds] runs a process of each side, good and bad
// and others beside them, in balanced and shuffled order ([Campaign.Pairs]: of two
// sides), and [Process.Sample] makes the one number (and its parts) that a process
// contributes.
//
// The processes of a round are there at the same time and take turns of a third of
// a millisecond, batch by batch (see turn): on a machine that others use, what one
// meets and the others don't is most of the noise. Rounds that were disturbed run
// again ([Disturbance]). With GOMAXPROCS=1 all run on one processor; several link
// layouts can take part ([Campaign]). Where the kernel gives counters of instructions and
// cycles, they are read beside the time ([Executed], [WorkOf]).
//
// It needs a Unix: process groups and inherited descriptors.
package harness
