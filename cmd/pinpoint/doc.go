/*
Pinpoint finds the call that made a Go benchmark slower between two git
revisions.

	pinpoint find --good v1.4.0 --bad HEAD --func '(*Encoder).Encode'
	pinpoint find --good v1.4.0 --bad HEAD --bench '^BenchmarkEncode$' --pkg ./codec

From a function alone, it looks for what runs it: of the benchmarks, or else the
tests, of all packages that may reach it by the call graph, each is run once,
and the one in which the function takes most of the time is the workload. Where
none runs it, the callers are named that are run; pinpoint driver makes a
benchmark of what the function's tests call it with.

From two CPU profiles of the program in production, as runtime/pprof, Pyroscope
or Parca write them, the functions are suspects whose share of the time grew by
more than sampling explains:

	pinpoint find --good v1.4.0 --bad HEAD --profile-good old.pprof --profile-bad new.pprof

Those that changed are looked for in workloads, and hunted there. Profiles only
order what is measured; what no workload runs is said to be suspected, not
measured.

From a service, started on a port of its own and asked by requests in the format
of vegeta's targets, or by a command (--load):

	pinpoint find --good v1.4.0 --bad HEAD --serve ./cmd/server --ready /healthz --requests targets.txt -- -addr :{{port}}

A profile that the compiler goes by (default.pgo) is put back as code is; --pgo
off, or --pgo FILE, compiles all alike. So is a toolchain, where each side has
its own: the go command fetches it, functions of the standard library that
differ are put back, and what is left is code generation or the runtime:

	pinpoint find --good HEAD --bad HEAD --toolchain-good go1.25.4 --toolchain-bad go1.26.0 --bench Encode

It takes private copies of both revisions, builds the benchmark in each, and
compares them in pairs of clean processes. When bad is slower, it first looks at
the functions that differ between the revisions and that the benchmark reaches:
it puts good's code for one of them back into a copy of bad, and measures what
that brings back. Where that proves nothing, or with --func, --depth or a
--finder of its own, it opens the benchmark's timed body as a layer of call
expressions, puts a timing probe at each, and narrows the layer to the guilty
call; then it digs into that call's function, layer by layer, until it can go no
deeper. What is reported as confirmed was slower again on fresh processes.

Pinpoint only reads your repository: no checkout, no worktree, no index, no
refs. The revisions can be anything that git rev-parse knows, and bad may be
WORKTREE, the uncommitted state of the working tree.

# What to run

	find     compare two revisions and find the call that got slower
	bisect   find the commit that got slower, and the call in it
	compare  compare two revisions or more, without a search
	measure  measure benchmarks: time, memory, counts
	history  keep accepted results, and hold new ones against them
	ci       compare the benchmarks of a branch with its base, and hunt what
	         got slower
	driver   make a benchmark of what a function's tests give it
	layers   show the layers of a function: what a search would go through
	probe    write probed source as an overlay for go build and go test
	worker   run pairs for the hunts of a fleet
	fleet    make and run the server over which hunts and workers meet
	report   draw what a hunt found again: as a page, a profile, a summary
	demo     hunt for a planted regression in a throw-away repository
	doctor   say what this host can resolve, and what would help
	cache    show what is kept for later runs, bound it or remove it

# In the middle of a bisect

	pinpoint bisect --good v1.4.0 --bad HEAD --bench '^BenchmarkEncode$' -- codec

Bisect holds one commit after the other against good, as git bisect would choose
them, and asks on which side of half the difference between the ends it lies.
Commits that do not build, lack the benchmark or can't be decided are gone past,
and so are those that are fast in one process and slow in the next; where they
hide the answer, it says one of which it is. The commit and its parent are
measured again before anything is named, and then the call is searched for.
After ^C, a kill or the end of the budget, --resume goes on. --first-parent,
paths and the file of --log are git bisect's.

To drive git bisect yourself, put scripts/git-bisect-pinpoint on your PATH:

	git bisect start HEAD v1.4.0
	git bisect run git-bisect-pinpoint --bench '^BenchmarkEncode$' --pkg ./codec

# What this host can resolve

	pinpoint doctor

holds three small benchmarks against themselves, in about a minute, and says how
many pairs of processes slowdowns of 1, 2, 5 and 30 % take to be found here.
Pinpoints on one machine take turns with measuring, pair by pair, whoever runs
them; one that waits says so. The two processes of a pair take turns too, of a
third of a millisecond or one operation, so that both meet the same machine. A
small difference must be there when the linker orders the functions otherwise,
or it is undecided.

# Measuring

	pinpoint measure --bench Encode --param SIZE=10,1000 -o new.txt --plot e.svg
	pinpoint measure --bench Encode --mode counts
	pinpoint compare v1.3.0 v1.4.0 HEAD --bench Encode
	pinpoint compare --by alg --bench Sort --plot sort.svg
	pinpoint history check new.txt

Measure runs all combinations of benchmarks, parameters, numbers of processors
and revisions, in processes that take turns, and gives each quantity as its mean
over processes with an interval: time in the steady state or at start-up, CPU
time, allocations, live heap, collections, calls of chosen functions, reads and
writes of a field, statements, conversions that allocate. Counts are exact where
all processes agree, and never come from a process that was timed. Files are in
Go's benchmark format. Compare holds any number of revisions against each other,
or, --by a key of their names, benchmarks of one.
History keeps results that were accepted and holds new ones against them; what
was measured on another day differs by that day, too, and it says so.

# In continuous integration

	pinpoint ci --fail-above 5% --markdown summary.md --sarif pinpoint.sarif

compares the benchmarks of a branch, by default those whose reachable code
differs from that at the merge base, in a budget that they share. It hunts what
got slower, and exits with 1 when a benchmark is surely slower by more than
--fail-above. False discoveries are controlled over all of them, so that noise
turns no build red. A regression that is wanted is entered in
.pinpoint/accepted. There is an action for GitHub and a template for GitLab:
see the directory ci. Behind another gate, --failed FILE compares and hunts only
what that called slower, and says which of its alarms are false.

# Reading the result

The result goes to standard output, progress to standard error, and so does the
culprit as soon as it is proved: how it is reached and why it is slower is
gathered after that. Differences are bad minus good per operation, each with its
confidence interval; a share is a part of the whole difference. A culprit is
named by its function: the one whose code, or whose call, is to blame. The chain
below it leads from the inspected function down to it. "Not decided" means what
it says; the report then tells how many pairs of processes would probably
decide. "No difference above 3 %", where --min-effect asked for less, is what
the pairs that there is time for can tell on this host.

A workload that runs nothing of what differs is not measured, as it can't have
got slower: --measure-anyway compares it all the same. Evidence takes as long as
the search for the culprit did, at most 15 s, the chain included, unless
--evidence-budget or --evidence all says otherwise; the package's tests come
last.

The last result is kept, and drawn again by

	pinpoint report --format html -o hunt.html

as one page that needs nothing else, for an issue (markdown), as profiles
(pprof), or as samples for benchstat (benchfmt). What --json writes is described
by report/report.schema.json. -q shows no progress, -v why each decision was
made, -x the commands that built what was run; --plain draws nothing over, and
without colours, as NO_COLOR does. What is known so far stands beside the
progress.

Where the time goes, by phase, build, go command, process and wait, --trace FILE
writes for ui.perfetto.dev; the report's JSON has the seconds of each phase.

# Other quantities than time

	pinpoint find --good v1.4.0 --bad HEAD --bench Encode --metric allocs

The same hunt goes by allocations (allocs), their bytes, CPU time (cpu), or how
often functions of the module are called (calls). What three processes a side
agree on is exact, and takes no more. Any other name is the unit of what the
benchmark reports itself, by b.ReportMetric or b.SetBytes:

	pinpoint find --good v1.4.0 --bad HEAD --bench Cache --metric misses/op

Less is better, but of rates such as MB/s, whose reciprocal is compared. Whole
batches have it, so good's code is put back and no layer is opened. Measure,
compare and history show and hold it against what was, beside the time.

# On several machines

	pinpoint find --good v1.4.0 --bad HEAD --bench Encode --fleet local:2
	pinpoint fleet init --host build7.example.com fleet
	pinpoint worker --join fleet/default.join
	pinpoint compare --good v1.4.0 --bad HEAD --bench Encode --fleet fleet/default.join

A fleet runs the pairs of a hunt on several machines, each pair on one, alone;
what is decided is decided as without. Local:2 is all of it in one process, to
try: its workers take turns. For others, fleet init makes certificates, secrets
and the configuration of a server, fleet serve runs it, and workers join from
wherever they are started. They need no Go and no sources. Kinds of machines are
compared by themselves, and a difference that one shows alone is said to be its
own; the search runs on one kind, of those that show it. A benchmark finds the
files of its module there, and nothing else of the machine on which the hunt
runs.

# Exit status

	0    no regression: the same, or faster
	1    a regression; the report is printed
	2    the job could not be done: usage, build or workload failed
	3    not decided within the budget
	130  interrupted
	141  nobody reads what it prints: a pipe that was closed

# Tips

Give the benchmark alone (--bench '^BenchmarkX$' or 'BenchmarkX/size=10'): a
hunt measures one. A benchmark that only one revision has is carried to the
other. One that neither has can be brought along with --driver x_test.go; it is
placed in the package for the hunt only. A quiet machine decides sooner, but a
busy one does not make the answer wrong: pairs take turns, and what cannot be
decided is said to be undecided. For a benchmark that allocates and does not run
in parallel, --cpu 1 may need fewer pairs.
*/
package main
