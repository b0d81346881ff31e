package multiaddr_test

import (
	"testing"

	ma "github.com/multiformats/go-multiaddr"
)

const drvAddr = "/ip4/127.0.0.1/tcp/1234/ws"

func BenchmarkDrvEqual(b *testing.B) {
	a, _ := ma.NewMultiaddr(drvAddr)
	c, _ := ma.NewMultiaddr(drvAddr)
	for i := 0; i < b.N; i++ {
		if !a.Equal(c) {
			b.Fatal()
		}
	}
}
