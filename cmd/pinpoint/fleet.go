package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/fleet"
	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
)

// fleetFlag says where pairs run; empty is here.
type fleetFlag string

func (f *fleetFlag) register(fs *pflag.FlagSet) {
	fs.StringVar((*string)(f), "fleet", "", "run pairs on the workers of a fleet: its `URL`, a file that pinpoint fleet init\nmade, or local:N for N workers on this machine")
}

// mostLocal is how many workers one machine gets. They take turns.
const mostLocal = 64

// fleetJoined is where pairs run: on a fleet or, without one, here.
type fleetJoined struct {
	ctx   context.Context // of what is to run there
	fleet *fleet.Fleet    // nil: none
	leave func()
}

// report is what the fleet was and did until now; nil without one.
func (j *fleetJoined) report() *report.Fleet {
	if j.fleet == nil {
		return nil
	}
	return j.fleet.Report()
}

// join has pairs go to the fleet, if there is to be one.
func (f fleetFlag) join(cmd *cobra.Command, p *progress) (*fleetJoined, error) {
	ctx := cmd.Context()
	if f == "" {
		return &fleetJoined{ctx: ctx, leave: func() {}}, nil
	}
	say := func(what string) { p.show(what, 0, 0) }
	var on *fleet.Fleet
	var stop func() error
	if number, ok := strings.CutPrefix(string(f), "local:"); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > mostLocal {
			return nil, usagef("--fleet %s: give a number of workers, from local:1 to local:%d", f, mostLocal)
		}
		if on, stop, err = fleet.Local(ctx, n, version(), say); err != nil {
			return nil, err
		}
	} else {
		join, err := bus.ReadJoin(string(f))
		if err != nil {
			return nil, usagef("--fleet: %v", err)
		}
		b, err := bus.Connect(ctx, join, nil)
		if err != nil {
			return nil, err
		}
		if on, err = fleet.Over(ctx, b, say); err != nil {
			return nil, err
		}
		stop = on.Close
	}
	p.follow(func() string { return on.Counts().Live() })
	leave := func() {
		p.follow(nil)
		p.clear()
		did := on.Report().Text()
		if err := stop(); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "pinpoint: %v\n", err)
		}
		if !p.quiet {
			fmt.Fprintf(cmd.ErrOrStderr(), "fleet: %s\n", did)
		}
	}
	return &fleetJoined{harness.OnFleet(ctx, on.Elsewhere()), on, leave}, nil
}
