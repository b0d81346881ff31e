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
)

// fleetFlag says where pairs run; empty is here.
type fleetFlag string

func (f *fleetFlag) register(fs *pflag.FlagSet) {
	fs.StringVar((*string)(f), "fleet", "", "run pairs on the workers of a fleet: its `URL`, a file that pinpoint fleet init\nmade, or local:N for N workers on this machine")
}

// mostLocal is how many workers one machine gets. They take turns.
const mostLocal = 64

// join is the context in which pairs go to the fleet, if there is to be one, and what
// leaves it.
func (f fleetFlag) join(cmd *cobra.Command, p *progress) (ctx context.Context, leave func(), err error) {
	ctx = cmd.Context()
	if f == "" {
		return ctx, func() {}, nil
	}
	say := func(what string) { p.show(what, 0, 0) }
	var on *fleet.Fleet
	var stop func() error
	if number, ok := strings.CutPrefix(string(f), "local:"); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > mostLocal {
			return nil, nil, usagef("--fleet %s: give a number of workers, from local:1 to local:%d", f, mostLocal)
		}
		on, stop, err = fleet.Local(ctx, n, version(), say)
		if err != nil {
			return nil, nil, err
		}
	} else {
		join, err := bus.ReadJoin(string(f))
		if err != nil {
			return nil, nil, usagef("--fleet: %v", err)
		}
		b, err := bus.Connect(ctx, join, nil)
		if err != nil {
			return nil, nil, err
		}
		if on, err = fleet.Over(ctx, b, say); err != nil {
			return nil, nil, err
		}
		stop = on.Close
	}
	leave = func() {
		p.clear()
		counts := on.Counts()
		if err := stop(); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "pinpoint: %v\n", err)
		}
		if !p.quiet {
			fmt.Fprintf(cmd.ErrOrStderr(), "fleet: %d of %d rounds done by %s\n", counts.Done, counts.Jobs, on.Describe())
		}
	}
	return harness.OnFleet(ctx, on.Elsewhere()), leave, nil
}
