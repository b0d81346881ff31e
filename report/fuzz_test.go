package report_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/pinpoint-go/pinpoint/report"
)

// FuzzRead draws whatever can be read as a file in every form. Nothing panics, and a
// comment is one that GitHub takes.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/*.json", "testdata/suite/*.json", "testdata/sheet/*.json"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add([]byte(`{"schema":"pinpoint/suite/v1","benchmarks":[{"outcome":"regression","report":{"culprits":[{"chain":[{}]}]}}]}`))
	f.Add([]byte(`{"schema":"pinpoint/report/v1","good":{"commit":"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"},"culprits":[{"kind":"removed-call"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := report.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, format := range report.FormatNames() {
			var b bytes.Buffer
			if err := file.Write(&b, format); err == nil && format == "comment" && b.Len() > 65536 {
				t.Errorf("a comment of %d bytes", b.Len())
			}
		}
	})
}
