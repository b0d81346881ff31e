package multiaddr_test

import (
	"testing"

	ma "github.com/multiformats/go-multiaddr"
)

const drvAddr = "/ip4/127.0.0.1/tcp/1234/ws"

func BenchmarkDrvParse(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if _, err := ma.NewMultiaddr(drvAddr); err != nil {
			b.Fatal(err)
		}
	}
}
