package lipgloss_test

import (
	"testing"

	"github.com/charmbracelet/lipgloss"
)

// BenchmarkDrvRender renders a short text in a box.
func BenchmarkDrvRender(b *testing.B) {
	style := lipgloss.NewStyle().Bold(true).Padding(1, 2).Width(40).Border(lipgloss.NormalBorder())
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		style.Render("A sentence that is wrapped, since it is longer than forty columns are wide.")
	}
}
