package bluemonday_test

import (
	"strings"
	"testing"

	"github.com/microcosm-cc/bluemonday"
)

var drvLinks = strings.Repeat(`<p>See <a href="http://example.com/find?q=words&page=2&sort=date">this</a> and <img src="/pictures/a.png?size=3" alt="that">.</p>`, 30)

func BenchmarkDrvLinks(b *testing.B) {
	p := bluemonday.UGCPolicy()
	for i := 0; i < b.N; i++ {
		p.Sanitize(drvLinks)
	}
}
