package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/fleet"
	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/fleet/depot"
	"github.com/pinpoint-go/pinpoint/fleet/worker"
)

func workerCommand() *cobra.Command {
	where, dir := "", ""
	most := size(fleet.MostCached)
	idle := time.Duration(0)
	cmd := &cobra.Command{
		Use:   "worker --join URL",
		Short: "run pairs for the hunts of a fleet",
		Long: `Worker joins a fleet and runs pairs of processes for its hunts, one at a time,
alone on this machine as a hunt does, and contained as there. It decides
nothing. It needs no Go and no sources: programs come by digest and are kept, as
many as --cache-size allows.

Whoever can give jobs to the fleet runs code on this machine as the user that
runs the worker. Off the loopback address TLS and a secret are asked for:
pinpoint fleet init makes them.`,
		Example: `  pinpoint worker --join team.join
  pinpoint worker --join nats://127.0.0.1:4222 --idle 10m`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if where == "" {
				return usagef("--join is needed: the URL of a fleet, or a file that pinpoint fleet init made")
			}
			join, err := bus.ReadJoin(where)
			if err != nil {
				return usagef("--join: %v", err)
			}
			if dir == "" {
				cache, err := backup.CacheDir()
				if err != nil {
					return err
				}
				dir = filepath.Join(cache, "worker")
			}
			kept, err := depot.OpenCache(dir, int64(most))
			if err != nil {
				return err
			}
			defer kept.Close()
			b, err := bus.Connect(cmd.Context(), join, nil)
			if err != nil {
				return err
			}
			defer b.Close()
			w := &worker.Worker{Bus: b, Cache: kept, Version: version(), Idle: idle, Twins: true}
			if quiet, _ := cmd.Flags().GetBool("quiet"); !quiet {
				w.Log = func(format string, args ...any) {
					fmt.Fprintf(cmd.ErrOrStderr(), time.Now().Format(time.TimeOnly)+" "+format+"\n", args...)
				}
			}
			return w.Run(cmd.Context())
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&where, "join", "", "the fleet's `URL`, or a file that pinpoint fleet init made")
	fs.StringVar(&dir, "cache", "", "`directory` for programs (default: in the user's cache)")
	fs.Var(&most, "cache-size", "how many `bytes` of programs are kept, such as 4GiB")
	fs.DurationVar(&idle, "idle", 0, "end after so much `time` without a job (default: never)")
	return cmd
}
