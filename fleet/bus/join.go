package bus

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/nats-io/nats.go"
)

// Join is what hunts and workers need to find each other: the server, and who they are to it.
type Join struct {
	URL    string `json:"url"`
	Tenant string `json:"tenant,omitempty"` // those of other tenants are not seen; "" is "default"
	Token  string `json:"token,omitempty"`  // the tenant's password
	Creds  string `json:"creds,omitempty"`  // file of a user's JWT and NKey, as nsc makes it
	CA     string `json:"ca,omitempty"`     // certificates in PEM that the server's is signed by; "" are the system's
}

// ReadJoin takes a URL, or the name of a file that has a Join as JSON.
func ReadJoin(text string) (Join, error) {
	j := Join{URL: text}
	if !strings.Contains(text, "://") {
		data, err := os.ReadFile(text)
		if err != nil {
			return j, fmt.Errorf("reading how to join the fleet: %w (give nats://HOST:PORT, tls://HOST:PORT or a file that pinpoint fleet init made)", err)
		}
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		j = Join{}
		if err := d.Decode(&j); err != nil {
			return j, fmt.Errorf("reading how to join the fleet: %s: %w", text, err)
		}
		if j.Creds != "" && !filepath.IsAbs(j.Creds) {
			j.Creds = filepath.Join(filepath.Dir(text), j.Creds)
		}
	}
	if j.Tenant == "" {
		j.Tenant = "default"
	}
	return j, j.Check()
}

var tenants = regexp.MustCompile(`^[A-Za-z0-9_]{1,40}$`)

// ErrOpen refuses to run what others send over a network without knowing who they are.
var ErrOpen = errors.New("a worker runs what it is sent, and a hunt sends its code: off this machine both need TLS and a secret. 'pinpoint fleet init' makes them")

// Check says why nothing may be joined by this; nil if it may.
func (j Join) Check() error {
	u, err := url.Parse(j.URL)
	if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" {
		return fmt.Errorf("joining a fleet: %q is not nats://HOST:PORT or tls://HOST:PORT", j.URL)
	}
	if !tenants.MatchString(j.Tenant) {
		return fmt.Errorf("joining a fleet: tenant %q is more than letters and digits", j.Tenant)
	}
	secret := j.Token != "" || j.Creds != "" || u.User != nil
	if !Loopback(u.Hostname()) && (u.Scheme != "tls" || !secret) {
		return fmt.Errorf("joining %s: %w", u.Redacted(), ErrOpen)
	}
	return nil
}

// Loopback reports whether only this machine reaches a host.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (j Join) options() ([]nats.Option, error) {
	var opts []nats.Option
	switch {
	case j.Creds != "":
		opts = append(opts, nats.UserCredentials(j.Creds))
	case j.Token != "":
		opts = append(opts, nats.UserInfo(j.Tenant, j.Token))
	}
	if !strings.HasPrefix(j.URL, "tls:") {
		return opts, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS13}
	if j.CA != "" {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM([]byte(j.CA)) {
			return nil, errors.New("joining a fleet: ca has no certificate in PEM")
		}
	}
	return append(opts, nats.Secure(config)), nil
}
