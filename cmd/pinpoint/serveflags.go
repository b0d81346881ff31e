package main

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/serve"
)

// serveFlags say what is asked of a server.
type serveFlags struct{ serve, ready, requests, load string }

func (f *serveFlags) registerServe(fs *pflag.FlagSet) {
	fs.StringVar(&f.serve, "serve", "", "server to start, its `directory`; its arguments follow --, with {{port}} where the\nport belongs that it is to listen on, which is in PORT, too")
	fs.StringVar(&f.ready, "ready", "", "with --serve: the `URL` or path that answers when the server is ready")
	fs.StringVar(&f.requests, "requests", "", "with --serve: the `file` of requests, as vegeta's targets: METHOD URL, headers,\n@FILE; an operation is one of them")
	fs.StringVar(&f.load, "load", "", "with --serve: a shell's `command` that is an operation, with {{port}}, in the place\nof --requests")
}

// server reads what is asked of it; nil if there is none. args are its own.
func (f *serveFlags) server(args []string) (*serve.Server, error) {
	switch {
	case f.serve == "" && f.ready+f.requests+f.load != "":
		return nil, usagef("--ready, --requests and --load go with --serve")
	case f.serve == "":
		return nil, nil
	case f.ready == "" || (f.requests == "") == (f.load == ""):
		return nil, usagef("--serve needs --ready URL, and --requests FILE or --load COMMAND")
	}
	s := &serve.Server{Args: args, Ready: f.ready, Load: f.load}
	if f.load != "" {
		return s, nil
	}
	file, err := os.Open(f.requests)
	if err != nil {
		return nil, fmt.Errorf("--requests: %w", err)
	}
	defer file.Close()
	if s.Requests, err = serve.ReadRequests(file); err != nil {
		return nil, fmt.Errorf("--requests %s: %w", f.requests, err)
	}
	_, err = s.Files()
	return s, err
}
