package multiaddr_test

import (
	"testing"

	ma "github.com/multiformats/go-multiaddr"
)

const drvAddr = "/ip4/127.0.0.1/tcp/1234/ws"

func BenchmarkDrvBytes(b *testing.B) {
	a, _ := ma.NewMultiaddr(drvAddr)
	data := a.Bytes()
	for i := 0; i < b.N; i++ {
		if _, err := ma.NewMultiaddrBytes(data); err != nil {
			b.Fatal(err)
		}
	}
}
