package profiles

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"testing"

	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// FuzzParse takes anything for a profile: nothing panics, and no share is above the whole.
func FuzzParse(f *testing.F) {
	data := recorded(f, "cpu", "nanoseconds", map[string]int64{"main.f;main.g": 100, "main.g": 50})
	f.Add(data)
	if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		plain, _ := io.ReadAll(z)
		f.Add(plain)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data, err := outside.Inflate(data, 1<<20)
		if err != nil {
			return
		}
		p, err := parse(data, nil)
		if err != nil {
			return
		}
		for name, n := range p.Own {
			if math.IsNaN(n) || n < 0 || n > p.All[name]*(1+1e-9) || n > p.Samples*(1+1e-9) {
				t.Errorf("%s has %v of %v", name, n, p.Samples)
			}
		}
	})
}
