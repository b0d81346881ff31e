// Package bisect finds the first commit of a history that is slow for good,
// where telling slow from fast takes samples and may go wrong.
//
// It promises three things.
//
//   - The search as a whole names a commit that its own measurements don't bear
//     out with at most the probability that it was given ([Config.Alpha]),
//     however many steps it takes. [Result.Spent] is the bound to print.
//   - It goes through a history as git bisect does: it halves the commits that
//     are left, by reachability where there are merges, goes to a neighbour where
//     a commit can't be tested, and says "one of these" where such commits hide
//     the answer.
//   - It runs nothing and has no clock: samples come from a function. What was
//     measured once can be handed in again, and the same search follows.
//
// # The question of a step
//
// Every commit is held against good, never against its neighbours: a history may
// drift by many small steps, of which none could be decided. The two ends are
// compared first; their difference is the unit in which levels are told, 0 is
// good's and 1 is bad's. A step asks whether its commit lies above half of it.
// Whatever the history does in between, somewhere on the way from an end below to
// an end above there is a commit that crosses the half, and that one is found;
// with several such commits, one of them. Whether it is slower than its parent is
// then for fresh samples to say, and how much of the difference it is.
//
// A commit whose processes are now as fast as good's and now as slow as bad's has
// a mean that says nothing. If bad's own processes are not so, it is not what made
// bad slow, and not free of what did either: it is [Erratic]. It is left out as
// one that can't be tested is, but it doesn't hide the answer: the first commit
// that is always slow is.
package bisect
