package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

// drvServers is a list of maps.
func drvServers(b *testing.B) []byte {
	var text strings.Builder
	for i := 0; i < 30; i++ {
		fmt.Fprintf(&text, "- name: server %d\n  port: %d\n  active: true\n  tags: [a, b, c]\n  limits:\n    cpu: 1.5\n    memory: \"2Gi\"\n", i, 8000+i)
	}
	b.ReportAllocs()
	return []byte(text.String())
}

// BenchmarkDrvUnmarshal decodes it.
func BenchmarkDrvUnmarshal(b *testing.B) {
	data := drvServers(b)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		var v []map[string]interface{}
		if err := yaml.Unmarshal(data, &v); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDrvParse parses it.
func BenchmarkDrvParse(b *testing.B) {
	data := drvServers(b)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if _, err := parser.ParseBytes(data, 0); err != nil {
			b.Fatal(err)
		}
	}
}
