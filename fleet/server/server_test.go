package server

import (
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
)

// What fleet init makes is a fleet: whoever has a tenant's file joins it and sees nothing of
// another's, and nobody else does.
func TestInit(t *testing.T) {
	t.Parallel()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	dir := filepath.Join(t.TempDir(), "fleet")
	joins, err := Init(dir, Setup{Host: "127.0.0.1", Port: port, Tenants: []string{"a", "b"}, Most: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Serve(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	var all []*bus.Bus
	for _, name := range joins {
		j, err := bus.ReadJoin(name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := bus.Connect(t.Context(), j, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		all = append(all, b)
	}
	if err := all[0].Alive(t.Context(), "worker.x", []byte("here")); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 0} {
		if list, err := all[i].Workers(t.Context()); err != nil || len(list) != want {
			t.Errorf("tenant %d sees %d workers, %v", i, len(list), err)
		}
	}
	j, _ := bus.ReadJoin(joins[0])
	for what, change := range map[string]func(*bus.Join){
		"another's secret": func(j *bus.Join) { other, _ := bus.ReadJoin(joins[1]); j.Token = other.Token },
		"no secret":        func(j *bus.Join) { j.Token = "" },
		"no certificate":   func(j *bus.Join) { j.CA = "" },
		"no TLS":           func(j *bus.Join) { j.URL = strings.Replace(j.URL, "tls", "nats", 1) },
	} {
		wrong := j
		change(&wrong)
		if b, err := bus.Connect(t.Context(), wrong, nil); err == nil {
			b.Close()
			t.Errorf("with %s one joins", what)
		}
	}
	if _, err := Init(dir, Setup{Host: "127.0.0.1", Port: port, Tenants: []string{"a"}}); err == nil {
		t.Error("a fleet is made over another")
	}
}

func TestOffThisMachine(t *testing.T) {
	for url, want := range map[string]bool{
		"nats://127.0.0.1:4222": true, "nats://localhost:4222": true, "nats://[::1]:4222": true,
		"nats://a:b@10.0.0.1:4222": false, "tls://10.0.0.1:4222": false, "tls://a:b@10.0.0.1:4222": true,
		"nats://0.0.0.0:4222": false, "http://127.0.0.1": false, "tls://": false,
	} {
		if _, err := bus.ReadJoin(url); (err == nil) != want {
			t.Errorf("%s: %v", url, err)
		}
	}
}
