package setup

import "context"

// Prepare builds both sides unprobed and loads their code.
func (j *Job) Prepare(ctx context.Context) error {
	j.Log.Phase("building and loading both revisions")
	bins, err := j.Set.Prepare(ctx)
	if err != nil {
		return err
	}
	j.Good.Unprobed, j.Bad.Unprobed = bins.Good, bins.Bad
	if err := j.Load(ctx); err != nil {
		return err
	}
	j.Report.Workload.Package, _ = j.Bad.Prog.Package()
	j.RecordHost(ctx)
	j.Report.Good.PGO, j.Report.Bad.PGO = j.Good.Profile(), j.Bad.Profile()
	for _, note := range j.Set.Compilers() {
		j.Log.Warn("%s", note)
	}
	return nil
}

// Load loads the code of both.
func (j *Job) Load(ctx context.Context) error {
	progs, err := j.Set.LoadPair(ctx)
	j.Good.Prog, j.Bad.Prog = progs.Good, progs.Bad
	return err
}
