package serve

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/change"
)

func TestReadRequests(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(body, []byte("a thing"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := ReadRequests(strings.NewReader("# targets\nGET http://h:1/a?b\nX-Id: 1\n\nPOST /c\n@" + body + "\nPUT /d"))
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	if r := list[0]; r.Method != "GET" || r.URL != "http://h:1/a?b" || len(r.Header) != 1 || r.Header[0] != "X-Id: 1" {
		t.Errorf("the first is %+v", r)
	}
	if r := list[1]; r.Method != "POST" || string(r.Body) != "a thing" {
		t.Errorf("the second is %+v", r)
	}
	for text, want := range map[string]string{
		"":                  "no METHOD URL in it",
		"X-Id: 1":           "line 1",
		"GET /a\nwhat else": "line 2",
		"GET /a\n@/nowhere": "reading the body",
	} {
		if _, err := ReadRequests(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	for _, test := range []struct {
		r    Request
		want string
	}{
		{Request{Method: "GET", URL: "/a?b=c#d"}, `{"GET /a?b=c", "GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:{{port}}\r\n\r\n", ""}`},
		{Request{Method: "GET", URL: "http://h:{{port}}"}, `{"GET /", "GET / HTTP/1.1\r\nHost: h:{{port}}\r\n\r\n", ""}`},
		{Request{Method: "PUT", URL: "http://h/x", Header: []string{"host: g"}, Body: []byte("12")}, `{"PUT /x", "PUT /x HTTP/1.1\r\nhost: g\r\nContent-Length: 2\r\n\r\n", "12"}`},
	} {
		if got, err := test.r.literal(); err != nil || got != test.want {
			t.Errorf("%+v:\n%s, %v, want\n%s", test.r, got, err, test.want)
		}
	}
	if _, err := (Request{Method: "GET", URL: "https://h/"}).literal(); err == nil {
		t.Error("https is taken")
	}
}

func TestSame(t *testing.T) {
	good := []answer{{200, 7, "GET /a"}, {200, -1, "GET /b"}}
	for _, test := range []struct {
		bad  []answer
		want string
	}{
		{[]answer{{200, 7, "GET /a"}, {200, 9, "GET /b"}}, ""},
		{[]answer{{200, 8, "GET /a"}, {200, 9, "GET /b"}}, "GET /a is answered with 7 bytes by good and 8 by bad"},
		{[]answer{{200, 7, "GET /a"}, {404, 9, "GET /b"}}, "GET /b is answered with status 200 by good and 404 by bad"},
	} {
		err := same(change.Pair[[]answer]{Good: good, Bad: test.bad})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}

const program = `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/body", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s", r.Header.Get("X-Id"), b)
	})
	http.HandleFunc("/chunks", func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < 3; i++ {
			io.WriteString(w, "0123456789")
			w.(http.Flusher).Flush()
		}
	})
	http.HandleFunc("/empty", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	http.HandleFunc("/closes", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		io.WriteString(w, "bye")
	})
	n := 0
	http.HandleFunc("/grows", func(w http.ResponseWriter, r *http.Request) { n++; w.Write(make([]byte, n)) })
	fmt.Println(http.ListenAndServe(os.Args[1], nil))
}
`

// The client reads what servers answer, in all the forms that bodies have.
func TestClient(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a server")
	}
	t.Parallel()
	s := Server{Args: []string{"127.0.0.1:{{port}}"}, Ready: "/empty", Requests: []Request{
		{Method: "POST", URL: "/body", Header: []string{"X-Id: 5"}, Body: []byte("thing")},
		{Method: "GET", URL: "/chunks"}, {Method: "HEAD", URL: "/body"}, {Method: "GET", URL: "/empty"},
		{Method: "GET", URL: "/closes"}, {Method: "GET", URL: "/grows"}, {Method: "GET", URL: "/nowhere"},
	}}
	files, err := s.Files()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files["main.go"], files["go.mod"] = []byte(program), []byte("module example.com/server\n\ngo 1.16\n")
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-run=TestPinpointServe", "-bench=PinpointServe", "-benchtime=50x", ".")
	answers := filepath.Join(dir, "answers")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "PINPOINT_ANSWERS="+answers)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(answers)
	want := "200 7 POST /body\n200 30 GET /chunks\n200 0 HEAD /body\n204 0 GET /empty\n200 3 GET /closes\n200 -1 GET /grows\n404 19 GET /nowhere\n"
	if err != nil || string(got) != want {
		t.Errorf("answers:\n%s%v, want\n%s", got, err, want)
	}
}
