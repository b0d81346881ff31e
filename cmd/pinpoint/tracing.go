package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/trace"
)

// tracing is --trace, which every command has.
type tracing struct {
	file     string // "": nothing is recorded
	recorder *trace.Recorder
}

func (t *tracing) register(fs *pflag.FlagSet) {
	fs.StringVar(&t.file, "trace", "", "write what the time goes into to this `file`, for ui.perfetto.dev")
}

// begin has what the command does recorded, if that was asked for.
func (t *tracing) begin(cmd *cobra.Command) {
	if t.file != "" {
		t.recorder = trace.New()
		cmd.SetContext(trace.Into(cmd.Context(), t.recorder))
	}
}

// save writes what was recorded, also of a command that failed or was interrupted.
func (t *tracing) save() error {
	if t.recorder == nil {
		return nil
	}
	return output.Save(t.file, t.recorder.Write)
}
