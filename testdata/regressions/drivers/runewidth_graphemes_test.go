package runewidth_test

import (
	"testing"

	"github.com/mattn/go-runewidth"
)

var text = "The quick brown fox jumps over the lazy dog; 素早い茶色の狐は怠け者の犬を飛び越える. Ελληνικά, русский текст."

func BenchmarkDrvStringWidth(b *testing.B) {
	for i := 0; i < b.N; i++ {
		runewidth.StringWidth(text)
	}
}
