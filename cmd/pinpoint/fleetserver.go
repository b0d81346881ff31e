package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/fleet"
	"github.com/pinpoint-go/pinpoint/fleet/server"
	"github.com/pinpoint-go/pinpoint/harness"
)

func fleetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "make and run the server over which hunts and workers meet",
		Long: `A fleet is a NATS server with JetStream, workers that run pairs of processes
(pinpoint worker), and hunts that give them some (--fleet). To try it, nothing
of this is needed: --fleet local:2 has all of it in one process.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(fleetInitCommand(), fleetServeCommand())
	return cmd
}

func fleetInitCommand() *cobra.Command {
	s := server.Setup{}
	most := size(fleet.MostStored)
	cmd := &cobra.Command{
		Use:   "init --host NAME DIR",
		Short: "make certificates, secrets and the server's configuration",
		Long: `Init makes a directory with a certificate, the configuration of a NATS server,
and for each tenant a file TENANT.join, with its secret: hunts and workers that
are given the same one meet, and see nothing of others.`,
		Example: `  pinpoint fleet init --host build7.example.com fleet
  pinpoint fleet serve fleet`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.Most = int64(most)
			joins, err := server.Init(args[0], s)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "here:     %s\n", harness.Quote([]string{"pinpoint", "fleet", "serve", args[0]}))
			for _, join := range joins {
				fmt.Fprintf(out, "workers:  %s\n", harness.Quote([]string{"pinpoint", "worker", "--join", join}))
				fmt.Fprintf(out, "hunts:    pinpoint find … --fleet %s\n", harness.Quote([]string{join}))
			}
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&s.Host, "host", "", "`name` or address by which hunts and workers reach the server")
	fs.IntVar(&s.Port, "port", 4222, "`number` of the port")
	fs.StringSliceVar(&s.Tenants, "tenant", []string{"default"}, "`name` of one who has hunts and workers of its own (repeatable)")
	fs.Var(&most, "store", "how many `bytes` each tenant may store, such as 16GiB")
	return cmd
}

func fleetServeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "serve DIR",
		Short: "run the server of a directory that init made",
		Long: `Serve runs the server until it is interrupted. So does nats-server -c
DIR/nats.conf.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := server.Serve(args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			<-cmd.Context().Done()
			return nil
		},
	}
}
