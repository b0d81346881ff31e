package job

import (
	"errors"
	"fmt"

	"github.com/pinpoint-go/pinpoint/harness"
)

// Failure is an error of the workload's as it travels: what callers tell apart stays
// told apart.
type Failure struct {
	Workload *Workload             `json:",omitempty"`
	Missing  *harness.MissingError `json:",omitempty"`
	Choice   *harness.ChoiceError  `json:",omitempty"`
	Text     string                `json:",omitempty"` // of any other
}

// Workload is a harness.WorkloadError.
type Workload struct {
	harness.WorkloadError
	Cause string // what it says
	Kind  int    // of the causes, counted from 1; 0 is none of them
}

// causes are those that callers ask for, in an order that stays.
var causes = []error{harness.ErrNoResult, harness.ErrGarbage, harness.ErrSkipped, harness.ErrNothing, harness.ErrNoBoard, harness.ErrHung}

// FailureOf is the error of a workload; nil of one that says nothing of it, such as a
// worker's own.
func FailureOf(err error) *Failure {
	var workload *harness.WorkloadError
	var missing *harness.MissingError
	var choice *harness.ChoiceError
	switch {
	case errors.As(err, &workload):
		w := &Workload{WorkloadError: *workload, Cause: workload.Cause.Error()}
		w.WorkloadError.Cause = nil
		for i, cause := range causes {
			if errors.Is(workload, cause) {
				w.Kind = i + 1
			}
		}
		return &Failure{Workload: w}
	case errors.As(err, &missing):
		return &Failure{Missing: missing}
	case errors.As(err, &choice):
		return &Failure{Choice: choice}
	}
	return nil
}

// Err is the error that it was.
func (f *Failure) Err() error {
	switch {
	case f.Workload != nil:
		err := f.Workload.WorkloadError
		err.Cause = cause{f.Workload.Cause, nil}
		if kind := f.Workload.Kind; kind > 0 && kind <= len(causes) {
			err.Cause = cause{f.Workload.Cause, causes[kind-1]}
		}
		return &err
	case f.Missing != nil:
		return f.Missing
	case f.Choice != nil:
		return f.Choice
	}
	return errors.New(f.Text)
}

// cause says what another did.
type cause struct {
	text string
	is   error
}

func (c cause) Error() string { return c.text }
func (c cause) Unwrap() error { return c.is }

// mostText is how much a worker may say of a failure, in bytes: the tail of an output and
// what is around it.
const mostText = 1 << 20

func (f *Failure) check() error {
	if n := len(f.Err().Error()); n > mostText {
		return fmt.Errorf("a failure of %d bytes", n)
	}
	return nil
}
