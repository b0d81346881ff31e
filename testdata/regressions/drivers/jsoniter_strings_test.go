package jsoniter_test

import (
	"testing"

	jsoniter "github.com/json-iterator/go"
)

// BenchmarkDrvStrings reads a list of strings of usual lengths.
func BenchmarkDrvStrings(b *testing.B) {
	text := []byte(`["a","name","a.longer@example.com","a sentence of several words, as in a title","0123456789abcdef0123456789abcdef"]`)
	var list []string
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		list = list[:0]
		if err := jsoniter.Unmarshal(text, &list); err != nil {
			b.Fatal(err)
		}
	}
}
