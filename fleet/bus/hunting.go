package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Workers are what those say of themselves who are alive.
func (b *Bus) Workers(ctx context.Context) ([][]byte, error) {
	keys, err := b.present.ListKeysFiltered(ctx, "worker.>")
	if err != nil {
		return nil, fmt.Errorf("listing workers: %w", err)
	}
	var list [][]byte
	for key := range keys.Keys() {
		if entry, err := b.present.Get(ctx, key); err == nil {
			list = append(list, entry.Value())
		}
	}
	return list, nil
}

// Publish gives a job to a class of machines. A copy has a number, and is a message of its
// own; one that was published already is not there twice.
func (b *Bus) Publish(ctx context.Context, class, id string, copy int, data []byte) error {
	msg := &nats.Msg{Subject: b.subject(class + "." + id), Data: data}
	if _, err := b.js.PublishMsg(ctx, msg, jetstream.WithMsgID(fmt.Sprintf("%s/%s/%d", class, id, copy))); err != nil {
		return fmt.Errorf("giving a job to the fleet: %w", explain(err))
	}
	return nil
}

// ErrFull is of a server that has no space left.
var ErrFull = errors.New("the fleet's server has no space left")

func explain(err error) error {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		switch text := strings.ToLower(api.Description); {
		case strings.Contains(text, "resource"), strings.Contains(text, "maximum bytes"), strings.Contains(text, "no space"):
			return fmt.Errorf("%w: %s", ErrFull, api.Description)
		}
	}
	return err
}

// Result is what came of a job.
type Result struct {
	ID   string
	Data []byte
}

// Results tells of the results of a hunt, those that there are first, until the context
// ends.
func (b *Bus) Results(ctx context.Context, hunt string) (<-chan Result, error) {
	watch, err := b.results.Watch(ctx, hunt+".>", jetstream.IgnoreDeletes())
	if err != nil {
		return nil, fmt.Errorf("waiting for results: %w", err)
	}
	results := make(chan Result)
	go func() {
		defer close(results)
		defer watch.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case entry, ok := <-watch.Updates():
				if !ok {
					return
				}
				if entry == nil { // all that there were
					continue
				}
				data, err := b.whole(ctx, entry.Value())
				if err != nil {
					continue // asked for again, see Result
				}
				select {
				case results <- Result{entry.Key(), data}:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return results, nil
}

// Result is that of one job; ok is false where there is none yet.
func (b *Bus) Result(ctx context.Context, id string) (r Result, ok bool, err error) {
	entry, err := b.results.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return r, false, nil
	}
	if err != nil {
		return r, false, fmt.Errorf("asking for a result: %w", err)
	}
	data, err := b.whole(ctx, entry.Value())
	return Result{id, data}, err == nil, err
}

// whole is a result whose data may be among the files, being too large for a message.
func (b *Bus) whole(ctx context.Context, value []byte) ([]byte, error) {
	if name, ok := strings.CutPrefix(string(value), freshFile); ok {
		return b.files.GetBytes(ctx, name)
	}
	return value, nil
}

// PutFile gives a file of a hunt to the fleet.
func (b *Bus) PutFile(ctx context.Context, hunt, digest string, from io.Reader) error {
	if _, err := b.files.Put(ctx, jetstream.ObjectMeta{Name: hunt + "/" + digest}, from); err != nil {
		return fmt.Errorf("giving a file to the fleet: %w", explain(err))
	}
	return nil
}

// HasFile reports whether the server has a file of a hunt.
func (b *Bus) HasFile(ctx context.Context, hunt, digest string) bool {
	_, err := b.files.GetInfo(ctx, hunt+"/"+digest)
	return err == nil
}

// Again is told when a lost connection is there again: the server may have forgotten.
func (b *Bus) Again() <-chan struct{} { return b.again }

// GivenUp tells of jobs that were handed out so often that they are not any more, until
// the context ends. What is not told, since nobody listened, is lost.
func (b *Bus) GivenUp(ctx context.Context, hunt string) (<-chan string, error) {
	told := make(chan *nats.Msg, 256)
	sub, err := b.conn.ChanSubscribe("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES."+b.name("JOBS")+".*", told)
	if err != nil {
		return nil, fmt.Errorf("listening for jobs that are given up: %w", err)
	}
	ids := make(chan string)
	go func() {
		defer sub.Unsubscribe()
		for {
			select {
			case <-ctx.Done():
				return
			case msg := <-told:
				var advice struct {
					Sequence uint64 `json:"stream_seq"`
				}
				if json.Unmarshal(msg.Data, &advice) != nil {
					continue
				}
				raw, err := b.jobs.GetMsg(ctx, advice.Sequence)
				if err != nil {
					continue // it was done meanwhile
				}
				id := b.idOf(raw.Subject)
				if !strings.HasPrefix(id, hunt+".") {
					continue
				}
				select {
				case ids <- id:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return ids, nil
}

// idOf is the identity of the job of a subject.
func (b *Bus) idOf(subject string) string {
	_, id, _ := strings.Cut(strings.TrimPrefix(subject, b.subject("")), ".") // after the class
	return id
}

// Withdraw takes jobs of a hunt back that nobody has begun.
func (b *Bus) Withdraw(ctx context.Context, class, job string) error {
	return b.jobs.Purge(ctx, jetstream.WithPurgeSubject(b.subject(class+"."+job)))
}

// Forget removes all that a hunt has on the server.
func (b *Bus) Forget(ctx context.Context, hunt string) error {
	// First it says so: a worker that stores a result after this finds that it is over, and
	// what was stored before is removed here.
	_, err := b.present.Put(ctx, overKey+hunt, nil)
	errs := []error{err, b.Withdraw(ctx, "*", hunt+".>")}
	errs = append(errs, b.unstore(ctx, hunt+".>"))
	files, err := b.filesOf(ctx, hunt)
	errs = append(errs, err)
	for _, name := range files {
		errs = append(errs, b.files.Delete(ctx, name))
	}
	return errors.Join(errs...)
}

// filesOf are the names of a hunt's files; large results are files, too.
func (b *Bus) filesOf(ctx context.Context, hunt string) (names []string, err error) {
	files, err := b.files.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil, nil
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name, hunt+"/") {
			names = append(names, f.Name)
		}
	}
	return names, err
}

// unstore removes results without a trace, which deleting their keys would leave.
func (b *Bus) unstore(ctx context.Context, keys string) error {
	bucket := b.results.Bucket()
	results, err := b.js.Stream(ctx, "KV_"+bucket)
	if err != nil {
		return err
	}
	return results.Purge(ctx, jetstream.WithPurgeSubject("$KV."+bucket+"."+keys))
}

// Left is how many jobs, results and files of a hunt are on the server.
func (b *Bus) Left(ctx context.Context, hunt string) (jobs, results, files int, err error) {
	count := func(stream, subject string) (int, error) {
		s, err := b.js.Stream(ctx, stream)
		if err != nil {
			return 0, err
		}
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(subject))
		if err != nil {
			return 0, err
		}
		n := 0
		for _, messages := range info.State.Subjects {
			n += int(messages)
		}
		return n, nil
	}
	jobs, err = count(b.name("JOBS"), b.subject("*."+hunt+".>"))
	if err == nil {
		results, err = count("KV_"+b.results.Bucket(), "$KV."+b.results.Bucket()+"."+hunt+".>")
	}
	if err == nil {
		var names []string
		names, err = b.filesOf(ctx, hunt)
		files = len(names)
	}
	return jobs, results, files, err
}
