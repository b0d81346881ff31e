package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// journalOf opens a journal at name.
func journalOf(t *testing.T, name string, resume bool) *Journal {
	t.Helper()
	j, err := OpenJournal(name, 7, resume)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// ask asks a journal's context for a key, and reports what the answer is and whether it
// was kept. An answer that is made is n.
func ask(t *testing.T, ctx context.Context, key string, n int64) (int64, bool) {
	t.Helper()
	e, kept, err := journaled(ctx, func(*Journal) (string, error) { return key, nil },
		func() (entry, error) { return entry{Plan: &Plan{GoodN: n}}, nil })
	if err != nil {
		t.Fatal(err)
	}
	return e.Plan.GoodN, kept
}

func TestJournal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rounds")
	j := journalOf(t, name, false)
	ctx := Journaled(t.Context(), j)
	for n, key := range []string{"a", "a", "b"} {
		if _, kept := ask(t, ctx, key, int64(n)); kept {
			t.Errorf("%s is kept", key)
		}
	}
	if _, err := OpenJournal(name, 8, true); !errors.Is(err, ErrJournalBusy) {
		t.Errorf("another one has it: %v", err)
	}
	failed := errors.New("no")
	if _, _, err := journaled(ctx, func(*Journal) (string, error) { return "c", nil }, func() (entry, error) { return entry{}, failed }); err != failed {
		t.Error(err)
	}
	j.Close(false)

	// What a kill cut off is not there, and what follows is written behind what is whole.
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, whole[:len(whole)-3], 0o600); err != nil {
		t.Fatal(err)
	}
	j = journalOf(t, name, true)
	if j.Seed != 7 || j.Kept != 2 {
		t.Errorf("seed %d, %d kept", j.Seed, j.Kept)
	}
	ctx = Journaled(t.Context(), j)
	for i, want := range []struct {
		key  string
		n    int64
		kept bool
	}{{"b", 10, false}, {"a", 0, true}, {"a", 1, true}, {"a", 13, false}, {"c", 14, false}} {
		if n, kept := ask(t, ctx, want.key, int64(10+i)); n != want.n || kept != want.kept {
			t.Errorf("%s is %d, %v", want.key, n, kept)
		}
	}
	j.Close(false)
	if j = journalOf(t, name, true); j.Kept != 5 {
		t.Errorf("%d kept", j.Kept)
	}
	j.Close(true)
	if _, err := os.Stat(name); err == nil {
		t.Error("a run that came to its end leaves its journal")
	}
	// Without resuming, what is there is forgotten.
	if err := os.WriteFile(name, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if j = journalOf(t, name, false); j.Kept != 0 {
		t.Errorf("%d kept", j.Kept)
	}
	j.Close(true)
	if err := os.Symlink("/dev/zero", name); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal(name, 1, true); err == nil {
		t.Error("a link is followed")
	}
}

// TestJournalKey: another binary, workload or purpose is another question; the name of a
// file that the process writes is not.
func TestJournalKey(t *testing.T) {
	dir := t.TempDir()
	var bins []Binary
	for _, content := range []string{"x", "x", "y"} {
		f, err := os.CreateTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(content)
		f.Close()
		bins = append(bins, Binary{Path: f.Name()})
	}
	j := journalOf(t, filepath.Join(dir, "rounds"), false)
	defer j.Close(true)
	key := func(ctx context.Context, b Binary, w Workload, how ...any) string {
		s, err := j.keyOf(ctx, "round", []Binary{b}, w, how...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ctx := t.Context()
	w := Workload{Args: []string{"-x=/tmp/1/f"}, Writes: []string{"/tmp/1/f"}}
	same := key(ctx, bins[0], w, 1)
	elsewhere := Workload{Args: []string{"-x=/tmp/2/f"}, Writes: []string{"/tmp/2/f"}}
	if key(ctx, bins[1], elsewhere, 1) != same {
		t.Error("the same is not")
	}
	others := []string{
		key(ctx, bins[2], w, 1), key(ctx, bins[0], w, 2), key(ctx, bins[0], Workload{Args: w.Args}, 1),
		key(Purpose(ctx, "confirming"), bins[0], w, 1), key(Sandboxed(ctx), bins[0], w, 1),
	}
	for i, other := range others {
		if other == same {
			t.Errorf("question %d is the same", i)
		}
	}
	if _, err := j.keyOf(ctx, "round", []Binary{{Path: filepath.Join(dir, "none")}}, w); err == nil {
		t.Error("a binary that is not there has a key")
	}
}

// FuzzJournal: whatever is in the file, what is taken from it is whole.
func FuzzJournal(f *testing.F) {
	name := filepath.Join(f.TempDir(), "rounds")
	j, err := OpenJournal(name, 7, false)
	if err != nil {
		f.Fatal(err)
	}
	round := Round{Runs: []Process{{Batches: []Batch{{N: 1, NS: 2}}}, {}}, Order: []int{0, 1}}
	j.append(entry{Key: "a", Round: &round})
	j.append(entry{Key: "b", Plan: &Plan{GoodN: 3}})
	data, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	j.Close(true)
	f.Add(data)
	f.Add(data[:len(data)-1])
	f.Add([]byte(journalMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, size := readJournal(data)
		if size > len(data) || len(entries) > 0 && size < len(journalMagic) {
			t.Errorf("%d bytes of %d", size, len(data))
		}
		again, same := readJournal(data[:size])
		if len(again) != len(entries) || same != size {
			t.Error("what is whole is not when it is alone")
		}
	})
}
