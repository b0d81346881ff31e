// Package server is a NATS server with JetStream in this process, and what one that
// others can reach needs: a configuration that asks for TLS and a secret, which the
// company's own server reads as well.
package server

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is one that runs.
type Server struct{ *server.Server }

// start is how long a server may take until it answers. It reads what it stored.
const start = 30 * time.Second

// Own is a server that only this process reaches, in memory but for what it stores below
// dir, which is made. It stores at most so many bytes.
func Own(dir string, most int64) (*Server, error) {
	opts := defaults(dir, most)
	opts.DontListen = true
	return run(opts)
}

// On is a server that listens on a port of the loopback address (-1: one that is free), for
// this machine alone. Token is the password of the tenant "default"; "" is none.
func On(port int, dir, token string, most int64) (*Server, error) {
	opts := defaults(dir, most)
	opts.Host, opts.Port = "127.0.0.1", port
	if token != "" {
		opts.Username, opts.Password = "default", token
	}
	return run(opts)
}

// Configured is a server by a configuration file, such as [Init] makes one.
func Configured(file string) (*Server, error) {
	opts, err := server.ProcessConfigFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the server's configuration: %w", err)
	}
	opts.NoSigs = true
	return run(opts)
}

// payload is how large a message may be, in bytes. Results of processes with many probes
// take more than NATS's usual megabyte.
const payload = 8 << 20

func defaults(dir string, most int64) *server.Options {
	return &server.Options{
		ServerName: "pinpoint", NoSigs: true, NoLog: true, MaxPayload: payload,
		JetStream: true, StoreDir: dir, JetStreamMaxStore: most, JetStreamMaxMemory: math.MaxInt32,
	}
}

func run(opts *server.Options) (*Server, error) {
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("starting the fleet's server: %w", err)
	}
	if !opts.NoLog {
		s.ConfigureLogger()
	}
	s.Start()
	if !s.ReadyForConnections(start) {
		s.Shutdown()
		return nil, errors.New("starting the fleet's server: it does not answer")
	}
	return &Server{s}, nil
}

// Close ends the server, and waits until it has.
func (s *Server) Close() {
	s.Shutdown()
	s.WaitForShutdown()
}
