package serve

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// answer is how a request is answered.
type answer struct {
	status, length int // a length of -1 is not the same each time
	request        string
}

// CompareAnswers starts both servers once and holds their answers against each other. The
// error names the first request that they answer with another status or length, or is that
// of [harness.Run]. Files are written to a directory.
func CompareAnswers(ctx context.Context, bins change.Pair[harness.Binary], w harness.Workload, dir string) error {
	w.Kind, w.Pattern = harness.Test, "^TestPinpointServe$"
	var both change.Pair[[]answer]
	var err error
	if both.Good, err = answers(ctx, bins.Good, w, dir); err != nil {
		return err
	}
	if both.Bad, err = answers(ctx, bins.Bad, w, dir); err != nil {
		return err
	}
	return same(both)
}

func same(both change.Pair[[]answer]) error {
	for i, good := range both.Good {
		if i >= len(both.Bad) {
			break
		}
		switch bad := both.Bad[i]; {
		case good.status != bad.status:
			return fmt.Errorf("%s is answered with status %d by good and %d by bad: what does not do the same is not compared", good.request, good.status, bad.status)
		case good.length != bad.length && good.length >= 0 && bad.length >= 0:
			return fmt.Errorf("%s is answered with %d bytes by good and %d by bad: what does not do the same is not compared", good.request, good.length, bad.length)
		}
	}
	return nil
}

// mostAnswers is how long a list of answers may be, in bytes.
const mostAnswers = 64 << 20

// answers are those of one server.
func answers(ctx context.Context, bin harness.Binary, w harness.Workload, dir string) ([]answer, error) {
	name := filepath.Join(dir, bin.Label+".answers")
	w.Set = append(w.Set[:len(w.Set):len(w.Set)], "PINPOINT_ANSWERS="+name)
	w.Writes = []string{name}
	if _, err := harness.Run(ctx, bin, w, harness.Order{}); err != nil {
		return nil, err
	}
	text, err := outside.File(name, mostAnswers)
	if err != nil {
		return nil, fmt.Errorf("reading what the %s server answered: %w", bin.Label, err)
	}
	var list []answer
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(fields) < 3 {
			return nil, fmt.Errorf("reading what the %s server answered: %q", bin.Label, line)
		}
		status, errStatus := strconv.Atoi(fields[0])
		length, errLength := strconv.Atoi(fields[1])
		if err := cmp.Or(errStatus, errLength); err != nil {
			return nil, err
		}
		list = append(list, answer{status, length, fields[2]})
	}
	return list, nil
}
