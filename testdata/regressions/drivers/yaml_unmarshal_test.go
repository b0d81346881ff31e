package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// BenchmarkDrvUnmarshal decodes a list of maps.
func BenchmarkDrvUnmarshal(b *testing.B) {
	var text strings.Builder
	for i := 0; i < 30; i++ {
		fmt.Fprintf(&text, "- name: server %d\n  port: %d\n  active: true\n  tags: [a, b, c]\n  limits:\n    cpu: 1.5\n    memory: \"2Gi\"\n", i, 8000+i)
	}
	data := []byte(text.String())
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		var v []map[string]interface{}
		if err := yaml.Unmarshal(data, &v); err != nil {
			b.Fatal(err)
		}
	}
}
