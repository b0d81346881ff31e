package trace

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
)

// TestWrite reads a trace as a viewer does: spans by line, of which none overlap.
func TestWrite(t *testing.T) {
	r := New()
	ctx := Into(t.Context(), r)
	r.Enter("building")
	good, bad := Begin(ctx, Build, "good"), Begin(ctx, Build, "bad")
	r.Enter("building") // goes on
	good()
	Begin(ctx, Build, "again")()
	bad()
	r.Enter("measuring")
	Begin(ctx, Process, "killed") // never ends
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	var read struct {
		TraceEvents []event
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	lines, until := make(map[string]int), make(map[int]float64)
	for _, e := range read.TraceEvents {
		if e.Type != "X" {
			continue
		}
		if e.Began < until[e.Line] {
			t.Errorf("%s began before what is on its line ended", e.Name)
		}
		lines[e.Name], until[e.Line] = e.Line, e.Began+e.Took
	}
	if lines["good"] == lines["bad"] || lines["again"] != lines["good"] || len(lines) != 6 {
		t.Errorf("lines %v", lines)
	}
	if phases := r.Since(r.start); phases[0].Name != "building" || phases[0].open {
		t.Errorf("%+v is open though another phase began", phases[0])
	}
}

// TestNothing is where nobody records.
func TestNothing(t *testing.T) {
	Begin(t.Context(), Build, "good")()
	From(t.Context()).Enter("phase")
	From(t.Context()).Leave()
	if list := From(t.Context()).Since(time.Time{}); list != nil {
		t.Errorf("recorded %v", list)
	}
}

func TestSpent(t *testing.T) {
	at := time.Now()
	span := func(k Kind, from, took time.Duration) Span {
		return Span{Kind: k, Began: at.Add(from), Took: took}
	}
	spent := Spent([]Span{
		span(Phase, 0, 100), span(Build, 0, 10), span(Build, 2, 3), span(Build, 8, 4), span(Build, 20, 5), span(Process, 30, 7),
	})
	if spent[Build] != 17 || spent[Process] != 7 || len(spent) != 2 {
		t.Errorf("spent %v", spent)
	}
}
