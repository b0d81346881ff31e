package workload

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

const source = `package codec

type Encoder[T any] struct{}

func (e *Encoder[T]) Encode() {}
func (e Encoder[T]) Len() int { return 0 }
func size() int { return 1 }
`

const other = `package main

func size() int { return 1 }
func main() {}
`

func TestFind(t *testing.T) {
	s := &Search{}
	for name, text := range map[string]string{"go-codec": source, "cmd": other} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		clause := map[string]string{"go-codec": "codec", "cmd": "main"}[name]
		s.code = append(s.code, listed{ImportPath: "example.com/m/" + name, Dir: dir, Name: clause, GoFiles: []string{"x.go"}})
	}
	for name, want := range map[string]string{
		"Encode":                                "", // a method's name alone is none
		"(*Encoder).Encode":                     "example.com/m/go-codec.(*Encoder).Encode",
		"Encoder.Encode":                        "example.com/m/go-codec.(*Encoder).Encode",
		"codec.(*Encoder).Encode":               "example.com/m/go-codec.(*Encoder).Encode",
		"(*Encoder).Len":                        "example.com/m/go-codec.Encoder.Len",
		"(*Encoder).Encode.func1":               "example.com/m/go-codec.(*Encoder).Encode.func1",
		"(*Encoder).Encode.func2.1":             "example.com/m/go-codec.(*Encoder).Encode.func2.1",
		"size":                                  "", // ambiguous
		"main.size":                             "example.com/m/cmd.size",
		"go-codec.size":                         "example.com/m/go-codec.size",
		"example.com/m/go-codec.Encoder.Encode": "example.com/m/go-codec.(*Encoder).Encode",
	} {
		_, got, err := s.find(name)
		var unclear *callgraph.NameError
		if got != want || (err != nil) != (want == "") || err != nil && !errors.As(err, &unclear) {
			t.Errorf("find %s: %q, %v, want %q", name, got, err, want)
		}
		if err != nil && len(unclear.Candidates) != map[string]int{"Encode": 1, "size": 2}[name] {
			t.Errorf("find %s: candidates %q", name, unclear.Candidates)
		}
	}
}

func TestOrder(t *testing.T) {
	ran := func(name string, share, ns float64) Ran {
		return Ran{Candidate: Candidate{Name: name}, Share: share, NS: ns}
	}
	c := &chooser{Choice: Choice{Ran: []Ran{
		ran("half", 0.5, 100), ran("small", 0.97, 100), ran("huge", 0.96, 1e9), ran("large", 0.98, 10e6), ran("none", 0.01, 1e5),
	}}}
	c.order()
	// Of those in which the share is alike larger inputs are better, up to a limit.
	for i, want := range []string{"huge", "large", "small", "half", "none"} {
		if c.Ran[i].Name != want {
			t.Fatalf("%d is %s, want %s: %v", i, c.Ran[i].Name, want, c.Ran)
		}
	}
}
