// Package serve makes a benchmark of a server's requests, so that a service is compared,
// searched and proved as any other workload is.
//
// It promises that a process is one start of the server, with nothing but its own
// arguments, on a port of its own; that requests go to it in the order in which they are
// given, over a connection on loopback that is kept alive; and that a server that doesn't
// get ready, ends, leaks goroutines or changes the status of an answer fails by name.
//
// How: a test file is laid over the package of the program. Its benchmark calls main once,
// waits until the server is ready, and sends one request per operation. So the server is in
// the process whose batches take turns with its twin's, probes count in it while it serves,
// and it is gone when that is.
//
// What is not covered: the client is in the same process, and what it takes, a few
// microseconds a request, is in the time and CPU of both sides. Requests go one after the
// other: what only many at a time bring out needs a load of the user's own. TLS and HTTP/2
// are not spoken.
package serve

import (
	"bytes"
	_ "embed"
	"fmt"
	"net/url"
	"strings"
)

// Pattern is that of the benchmark.
const Pattern = "^BenchmarkPinpointServe$"

// A Server is what is started, and what is asked of it. In its texts {{port}} stands for
// the port that it is to listen on.
type Server struct {
	Args     []string  // of the program
	Ready    string    // the URL that is asked until it answers with a status below 400
	Requests []Request // of which an operation sends one, in turn
	Load     string    // a shell's command that is an operation, in the place of requests
}

// Request is one as it is sent.
type Request struct {
	Method string
	URL    string   // of which the host is named to the server, and not gone to
	Header []string // "Name: value"
	Body   []byte
}

//go:embed client.go.txt
var client string

// Files are the test files that make the benchmark, by name in the package. The error says
// what of the requests can't be sent.
func (s *Server) Files() (map[string][]byte, error) {
	var b bytes.Buffer
	b.WriteString(client)
	ready, err := s.ready()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "\nvar pinpointArgs = %#v\n\nvar pinpointLoad = %q\n\nvar pinpointReady = %s\n", append([]string{}, s.Args...), s.Load, ready)
	b.WriteString("\nvar pinpointRequests = []pinpointRequest{\n")
	for _, r := range s.Requests {
		text, err := r.literal()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\t%s,\n", text)
	}
	b.WriteString("}\n")
	return map[string][]byte{"pinpoint_serve_test.go": b.Bytes()}, nil
}

func (s *Server) ready() (string, error) {
	text, err := Request{Method: "GET", URL: s.Ready}.literal()
	if err != nil {
		return "", fmt.Errorf("--ready: %w", err)
	}
	return "pinpointRequest" + text, nil
}

// literal is the request as Go has it: its name, its head and its body.
func (r Request) literal() (string, error) {
	// A port is no part of a URL before it is a number.
	u, err := url.Parse(strings.ReplaceAll(r.URL, port, "1"))
	switch {
	case err != nil:
		return "", err
	case u.Scheme != "" && u.Scheme != "http":
		return "", fmt.Errorf("%s: a server is asked by http", r.URL)
	}
	host, path := "127.0.0.1:"+port, r.URL
	if rest, ok := strings.CutPrefix(r.URL, "http://"); ok {
		i := strings.IndexAny(rest, "/?")
		if i < 0 {
			i = len(rest)
		}
		host, path = rest[:i], rest[i:]
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	path, _, _ = strings.Cut(path, "#")
	head := r.Method + " " + path + " HTTP/1.1\r\n"
	if !r.has("Host") {
		head += "Host: " + host + "\r\n"
	}
	for _, h := range r.Header {
		head += h + "\r\n"
	}
	if len(r.Body) > 0 && !r.has("Content-Length") {
		head += fmt.Sprintf("Content-Length: %d\r\n", len(r.Body))
	}
	return fmt.Sprintf("{%q, %q, %q}", r.Method+" "+path, head+"\r\n", r.Body), nil
}

func (r Request) has(header string) bool {
	for _, h := range r.Header {
		if name, _, _ := strings.Cut(h, ":"); strings.EqualFold(name, header) {
			return true
		}
	}
	return false
}

const port = "{{port}}"
