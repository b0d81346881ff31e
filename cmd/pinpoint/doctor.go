package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/doctor"
)

func doctorCommand(status *int) *cobra.Command {
	var opts doctor.Options
	seconds, quick, asJSON := int(doctor.DefaultTime.Seconds()), false, false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "say what this host can resolve, and what would help",
		Long: `Doctor builds three small benchmarks with your go command and holds each against
itself, in pairs of processes as hunts do. In about a minute it says how much
this host's processes vary, how many pairs a slowdown of 1, 2, 5 and 30 % takes
to be found, whether anything differs from itself, and what would help.

Your own benchmarks may be noisier or quieter than these three: a loop, sorting,
and decoding JSON. The go.mod in -C chooses the toolchain.

Exit status:

    0    healthy: nothing differs from itself, and a slowdown of 5 % is found
         within the ten minutes that a hunt has
    1    not so
    2    the job could not be done: no go command, or the benchmarks failed
    3    measured for too short a time to say
    130  interrupted`,
		Example: "  pinpoint doctor --quick\n  pinpoint doctor --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if seconds <= 0 {
				return usagef("--seconds %d: give a number above 0", seconds)
			}
			if quick && !cmd.Flags().Changed("seconds") {
				seconds = 15
			}
			opts.Time = time.Duration(seconds) * time.Second
			return runDoctor(cmd, opts, asJSON, status)
		},
	}
	fs := cmd.Flags()
	fs.BoolVar(&quick, "quick", false, "look for 15 seconds")
	fs.IntVar(&seconds, "seconds", seconds, "`number` of seconds to measure for, besides the building")
	fs.BoolVar(&asJSON, "json", false, "write what was found as JSON")
	seedFlag(fs, &opts.Seed)
	dirFlag(fs, &opts.Dir)
	return cmd
}

func runDoctor(cmd *cobra.Command, opts doctor.Options, asJSON bool, status *int) error {
	var err error
	if opts.CacheDir, err = backup.CacheDir(); err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr())
	opts.Progress = func(phase string, done, total int) { p.show(phase, 0, 0) }
	h, err := doctor.Examine(cmd.Context(), opts)
	p.clear()
	if err != nil {
		return fmt.Errorf("examining the host: %w", err)
	}
	switch {
	case !h.Decided():
		*status = 3
	case !h.Healthy():
		*status = 1
	}
	if asJSON {
		return h.WriteJSON(cmd.OutOrStdout())
	}
	return h.WriteText(cmd.OutOrStdout())
}
