package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
)

// Setup says what a server that others reach is.
type Setup struct {
	Host    string   // name or address by which the others reach it
	Port    int      // 4222 is NATS's
	Tenants []string // each with a secret and an account of its own
	Most    int64    // bytes that each may store
}

// The files that Init makes: what the server reads, and for each tenant what hunts and
// workers are given, as "NAME.join".
const (
	ConfigFile = "nats.conf"
	joinSuffix = ".join"
)

// validity is how long certificates hold. The key that signed them is not kept, so that
// nobody can make others: a fleet is made anew.
const validity = 2 * 365 * 24 * time.Hour

// hosts are what may be in a configuration file as it is.
var hosts = regexp.MustCompile(`^[A-Za-z0-9.:-]+$`)

// Init makes a directory with all that a fleet's server, its hunts and its workers need.
// It must not exist, or be empty.
func Init(dir string, s Setup) (joins []string, err error) {
	if !hosts.MatchString(s.Host) || s.Port < 1 || s.Port > 65535 || len(s.Tenants) == 0 {
		return nil, fmt.Errorf("making a fleet: give a host by its name or address (%q), a port (%d) and a tenant", s.Host, s.Port)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a fleet: %w", err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		return nil, errors.Join(err, fmt.Errorf("making a fleet: %s is not empty", dir))
	}
	ca, cert, key, err := certify(s.Host)
	if err != nil {
		return nil, fmt.Errorf("making a fleet: %w", err)
	}
	files := map[string][]byte{"server.pem": cert, "server-key.pem": key, ConfigFile: nil}
	var accounts strings.Builder
	for _, tenant := range s.Tenants {
		join := bus.Join{
			URL:    "tls://" + net.JoinHostPort(s.Host, strconv.Itoa(s.Port)),
			Tenant: tenant, Token: rand.Text(), CA: string(ca),
		}
		if err := join.Check(); err != nil {
			return nil, err
		}
		data, err := json.MarshalIndent(join, "", "\t")
		if err != nil {
			return nil, fmt.Errorf("making a fleet: %w", err)
		}
		files[tenant+joinSuffix] = append(data, '\n')
		joins = append(joins, filepath.Join(dir, tenant+joinSuffix))
		fmt.Fprintf(&accounts, "\t%s { jetstream { max_file: %d }, users [ { user: %s, password: %q } ] }\n", tenant, s.Most, tenant, join.Token)
	}
	if len(files) != 3+len(s.Tenants) {
		return nil, errors.New("making a fleet: a tenant is named twice")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("making a fleet: %w", err)
	}
	files[ConfigFile] = fmt.Appendf(nil, config, s.Port, payload,
		filepath.Join(abs, "server.pem"), filepath.Join(abs, "server-key.pem"), filepath.Join(abs, "store"), accounts.String())
	for name, data := range files {
		if err := writeNew(filepath.Join(dir, name), data); err != nil {
			return nil, fmt.Errorf("making a fleet: %w", err)
		}
	}
	return joins, nil
}

// config is what a NATS server reads, pinpoint's own or another.
const config = `# A NATS server for pinpoint's fleet: pinpoint fleet serve, or nats-server -c.
port: %d
max_payload: %d
tls { cert_file: %q, key_file: %q, min_version: "1.3" }
# What is on disk may be minutes behind what was said. A hunt that goes on publishes again
# what a crash of the machine loses; sync_interval: always waits for the disk instead.
jetstream { store_dir: %q }
accounts {
%s}
`

func writeNew(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// certify makes a certificate for a host, the one that it is signed by, and its key.
func certify(host string) (ca, cert, key []byte, err error) {
	now := time.Now()
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "pinpoint fleet " + host},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(validity),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: host},
		NotBefore: authority.NotBefore, NotAfter: authority.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := net.ParseIP(host); ip != nil {
		server.IPAddresses = []net.IP{ip}
	} else {
		server.DNSNames = []string{host}
	}
	signs, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, nil, err
	}
	serves, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, nil, err
	}
	root, err := x509.CreateCertificate(rand.Reader, authority, authority, signs.Public(), signs)
	if err != nil {
		return nil, nil, nil, err
	}
	leaf, err := x509.CreateCertificate(rand.Reader, server, authority, serves.Public(), signs)
	if err != nil {
		return nil, nil, nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(serves)
	pemOf := func(kind string, der []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}) }
	return pemOf("CERTIFICATE", root), pemOf("CERTIFICATE", leaf), pemOf("PRIVATE KEY", private), err
}

// Serve runs the server of a directory that Init made.
func Serve(dir string) (*Server, error) {
	file := filepath.Join(dir, ConfigFile)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("starting the fleet's server: %s is not there: pinpoint fleet init makes it", file)
	}
	return Configured(file)
}
