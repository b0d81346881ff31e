package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Check places the file in a revision, builds it and runs each of its inputs. It gives
// what is wrong with it there, "" if it works. The spec's package is that of the function.
func (r *Recording) Check(ctx context.Context, spec revision.Spec, file, rev string) (wrong string, err error) {
	spec.Driver = file
	spec.Package = r.Package
	spec.Workload.Kind, spec.Workload.Pattern = harness.Bench, harness.PatternOf(r.Benchmark(), nil)
	set, err := revision.Open(ctx, spec, rev)
	if err != nil {
		return "", err
	}
	defer set.Close()
	bin, err := set.All()[0].Build(ctx, revision.Build{})
	if err == nil && len(r.calls) > 0 {
		_, err = harness.Run(ctx, bin, spec.Workload, harness.Order{N: 1, Batches: 1})
	}
	var several *harness.ChoiceError
	var broken *harness.BuildError
	var failed *harness.WorkloadError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil, errors.As(err, &several):
		return "", nil
	case errors.As(err, &broken):
		return "does not compile:\n" + strings.TrimSpace(broken.Output), nil
	case errors.As(err, &failed):
		return fmt.Sprintf("does not run: %v %s", failed.Cause, failed.Last()), nil
	}
	return "", err
}
