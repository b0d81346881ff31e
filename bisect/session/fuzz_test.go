package session

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzState takes anything for what an interrupted search left: it is taken or refused by
// an error that says which file to remove, and what was taken can be kept again.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"asked":{"use":"bisect","good":"a"},"mean":true,"steps":[{"Commit":"b","Stage":"x","Round":1}]}`))
	f.Add([]byte(`{"steps":[{},{}],"asked":{"workload":{"a":[1e999]}}}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, data []byte) {
		st := &state{file: filepath.Join(t.TempDir(), "state.json")}
		if err := os.WriteFile(st.file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := st.load(); err != nil {
			return
		}
		for _, step := range st.Steps {
			if err := st.put(step); err != nil {
				t.Fatal(err)
			}
		}
	})
}
