package harness

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/flock"
	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// A Journal keeps what was measured while it is, so that a run that was ended by
// anything can go on: what is asked for with the same binaries, workload and order is
// then taken from it, once, for the same [Purpose], and not measured again. A run that
// goes another way than the one before finds what fits, and measures the rest.
//
// The file is a list of records, each with its length and checksum. One that a kill cut
// off, and what follows it, is not there.
type Journal struct {
	Seed uint64 // that the run began with
	Kept int    // how many records of an earlier run there are
	Used int    // and how many of them were taken

	mu     sync.Mutex // guards what follows
	file   *os.File
	size   int64
	known  map[string][]entry // by key, in the order of the run
	hashes map[string]string  // of binaries, by path
}

// An entry is what one record says.
type entry struct {
	Key   string
	Seed  uint64 // of the first record alone
	Took  time.Duration
	Plan  *Plan
	Round *Round
	Aside *Round   // that ran again, see Campaign.Aside
	Run   *Process // that wrote files
	Files [][]byte // these

	loose bool // it can't be kept
}

const (
	journalMagic = "pinpoint rounds 1\n"
	mostEntry    = 64 << 20  // bytes
	mostJournal  = 512 << 20 // bytes, after which no more is kept
)

// ErrJournalBusy says that another process keeps the same journal.
var ErrJournalBusy = errors.New("another pinpoint is measuring the same")

// OpenJournal opens the journal at name for a run with that seed. To resume is to take
// what is there, with its seed; otherwise it begins anew.
func OpenJournal(name string, seed uint64, resume bool) (*Journal, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|flock.NoFollow|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the journal: %w", err)
	}
	j := &Journal{Seed: seed, file: f, known: make(map[string][]entry), hashes: make(map[string]string)}
	if err := flock.Lock(f, flock.Alone|flock.DontWait); flock.Taken(err) {
		return nil, errors.Join(ErrJournalBusy, f.Close())
	}
	if there, err := stillThere(f); err != nil || !there {
		// Who had it before us was done with it and removed it.
		return nil, errors.Join(ErrJournalBusy, err, f.Close())
	}
	if resume {
		j.load()
	}
	if err = f.Truncate(j.size); err == nil {
		_, err = f.Seek(j.size, io.SeekStart)
	}
	if j.size == 0 {
		j.write([]byte(journalMagic))
		j.append(entry{Seed: seed})
	}
	return j, err
}

// load reads the records that are whole.
func (j *Journal) load() {
	data, err := io.ReadAll(io.LimitReader(j.file, 2*mostJournal))
	if err != nil {
		return
	}
	entries, size := readJournal(data)
	for i, e := range entries {
		if i == 0 {
			j.Seed = e.Seed
			continue
		}
		j.known[e.Key] = append(j.known[e.Key], e)
		j.Kept++
	}
	j.size = int64(size)
}

// readJournal takes a journal apart, up to where it is whole.
func readJournal(data []byte) (entries []entry, size int) {
	if !bytes.HasPrefix(data, []byte(journalMagic)) {
		return nil, 0
	}
	for size = len(journalMagic); len(data)-size >= 8; {
		head := data[size : size+8]
		n := int(binary.LittleEndian.Uint32(head))
		if n > mostEntry || n > len(data)-size-8 {
			break
		}
		body := data[size+8 : size+8+n]
		var e entry
		if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(head[4:]) || gob.NewDecoder(bytes.NewReader(body)).Decode(&e) != nil {
			break
		}
		entries = append(entries, e)
		size += 8 + n
	}
	if len(entries) == 0 {
		return nil, 0
	}
	return entries, size
}

// append writes a record. One that can't be written ends the journal: it is no reason to
// end the run.
func (j *Journal) append(e entry) {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(e); err != nil || body.Len() > mostEntry {
		return
	}
	head := binary.LittleEndian.AppendUint32(nil, uint32(body.Len()))
	head = binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(body.Bytes()))
	j.write(append(head, body.Bytes()...))
}

func (j *Journal) write(data []byte) {
	if j.size > mostJournal {
		return
	}
	n, err := j.file.Write(data)
	if j.size += int64(n); err != nil {
		j.size = mostJournal + 1
	}
}

// Close ends the journal. Of a run that came to its end, nothing is kept.
func (j *Journal) Close(done bool) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if done {
		os.Remove(j.file.Name())
	}
	j.file.Close()
	j.size = mostJournal + 1
}

// errDamaged is of a record that holds something else than its key says.
var errDamaged = errors.New("what an earlier run left was changed: run it without --resume")

type journalKey struct{}

// Journaled has what is measured with the context kept in a journal, and taken from it.
func Journaled(ctx context.Context, j *Journal) context.Context {
	return context.WithValue(ctx, journalKey{}, j)
}

type purposeKey struct{}

// Purpose tells a journal what is measured with the context is for, beside what it was
// told before. What was measured for one purpose is not taken for another: samples that
// raised a suspicion can't confirm it.
func Purpose(ctx context.Context, what string) context.Context {
	before, _ := ctx.Value(purposeKey{}).(string)
	return context.WithValue(ctx, purposeKey{}, before+"/"+what)
}

// journaled gives what the context's journal has of a question, or asks it and keeps the
// answer.
func journaled(ctx context.Context, key func(*Journal) (string, error), ask func() (entry, error)) (e entry, kept bool, err error) {
	j, _ := ctx.Value(journalKey{}).(*Journal)
	if j == nil {
		e, err = ask()
		return e, false, err
	}
	if err := ctx.Err(); err != nil {
		return e, false, err
	}
	name, err := key(j)
	if err != nil { // a binary that is not there: running it tells
		e, err = ask()
		return e, false, err
	}
	if e, ok := j.take(name); ok {
		return e, true, nil
	}
	begin := time.Now()
	if e, err = ask(); err != nil {
		return e, false, err
	}
	e.Key, e.Took = name, time.Since(begin)
	if e.loose {
		return e, false, nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.append(e)
	return e, false, nil
}

func (j *Journal) take(key string) (entry, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := j.known[key]
	if len(list) == 0 {
		return entry{}, false
	}
	j.known[key] = list[1:]
	j.Used++
	return list[0], true
}

// keyOf names a question: what is run, by content, and how.
func (j *Journal) keyOf(ctx context.Context, what string, bins []Binary, w Workload, how ...any) (string, error) {
	sum := sha256.New()
	writes := strings.NewReplacer(pairsOf(w.Writes)...)
	for _, b := range bins {
		content, err := j.hash(b.Path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %q %s %d\n", content, b.Dir, b.Label, b.Probes)
	}
	fmt.Fprintf(sum, "%s %v %v %v\n", what, ctx.Value(purposeKey{}), sandboxed(ctx), how)
	fmt.Fprintf(sum, "%d %q %q %q %d %d %q %q %d\n", w.Kind, w.Pattern, writes.Replace(fmt.Sprintf("%q", w.Args)), w.Input, w.CPUs, w.Timeout, w.Env, writes.Replace(fmt.Sprintf("%q", w.Set)), w.Memory)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// runWriting is [Run] of a process that writes files, which a journal keeps with it: a
// search may go by what is in them.
func runWriting(ctx context.Context, b Binary, w Workload, o Order) (p Process, err error) {
	e, kept, err := journaled(ctx, func(j *Journal) (string, error) {
		return j.keyOf(ctx, "run", []Binary{b}, w, o.N, o.Batches, o.On)
	}, func() (e entry, err error) {
		p, err = runAlone(ctx, b, w, o)
		e.Run = &p
		for _, name := range w.Writes {
			data, err := outside.File(name, mostEntry/2)
			e.loose = e.loose || err != nil
			e.Files = append(e.Files, data)
		}
		return e, err
	})
	if !kept {
		return p, err
	}
	if e.Run == nil || len(e.Files) != len(w.Writes) {
		return p, errDamaged
	}
	for i, data := range e.Files {
		if err := os.WriteFile(w.Writes[i], data, 0o600); err != nil {
			return p, fmt.Errorf("writing again what a process wrote: %w", err)
		}
	}
	return *e.Run, nil
}

// pairsOf gives names, which are others in each run, the same.
func pairsOf(names []string) (pairs []string) {
	for i, name := range names {
		pairs = append(pairs, name, fmt.Sprintf("WRITTEN%d", i))
	}
	return pairs
}

func (j *Journal) hash(path string) (string, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if known := j.hashes[path]; known != "" {
		return known, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	j.hashes[path] = hex.EncodeToString(sum.Sum(nil))
	return j.hashes[path], nil
}
