package bus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Queue is where a class of machines gets its jobs.
type Queue struct {
	bus      *Bus
	consumer jetstream.Consumer
}

// Queue finds the queue of a class, which its first worker makes. How many jobs are under
// way at the same time is not bounded: each worker takes one.
func (b *Bus) Queue(ctx context.Context, class string) (*Queue, error) {
	consumer, err := b.jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: class, FilterSubject: b.subject(class + ".>"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: b.lease(), MaxDeliver: Deliveries, MaxAckPending: -1, InactiveThreshold: stays,
	})
	if err != nil {
		return nil, fmt.Errorf("finding the queue of jobs: %w", err)
	}
	return &Queue{b, consumer}, nil
}

// pull is how long a request for a job waits at the server.
const pull = 5 * time.Second

// ErrNone is when there is no job.
var ErrNone = errors.New("no job")

// Next is one job. It is leased until it is done, given back or refused.
func (q *Queue) Next(ctx context.Context) (*Delivery, error) {
	ctx, cancel := context.WithTimeout(ctx, pull)
	defer cancel()
	batch, err := q.consumer.Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		return nil, fmt.Errorf("asking for a job: %w", err)
	}
	for msg := range batch.Messages() {
		return &Delivery{ID: q.bus.idOf(msg.Subject()), Data: msg.Data(), bus: q.bus, msg: msg}, nil
	}
	if err := batch.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, jetstream.ErrNoMessages) {
		return nil, fmt.Errorf("asking for a job: %w", err)
	}
	return nil, ErrNone
}

func (b *Bus) lease() time.Duration { return cmp.Or(b.Lease, usualLease) }

// Delivery is a job that was handed out.
type Delivery struct {
	ID   string
	Data []byte
	bus  *Bus
	msg  jetstream.Msg
}

// Hunt is the one that the job is of.
func (d *Delivery) Hunt() string {
	hunt, _, _ := strings.Cut(d.ID, ".")
	return hunt
}

// missed is how often a hunt is not there until it is gone. A server that was away forgets
// who was.
const missed = 3

// Keep renews the lease until the context ends. When the hunt is gone, gone is called.
func (d *Delivery) Keep(ctx context.Context, gone func()) {
	tick := time.NewTicker(d.bus.lease() / 3)
	defer tick.Stop()
	for times := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			d.msg.InProgress() // where that fails, another gets the job: one of the results counts
			switch _, err := d.bus.present.Get(ctx, "hunt."+d.Hunt()); {
			case err == nil:
				times = 0
			case errors.Is(err, jetstream.ErrKeyNotFound):
				if times++; times == missed {
					gone()
				}
			}
		}
	}
}

// Done stores the result, unless there is one, and ends the lease. First says whether this
// is the one that counts.
func (d *Delivery) Done(ctx context.Context, data []byte) (first bool, err error) {
	if len(data) > int(d.bus.conn.MaxPayload())/2 {
		name := d.Hunt() + "/" + d.ID + "/" + d.bus.conn.Opts.Name + time.Now().UTC().Format(time.RFC3339Nano)
		if _, err := d.bus.files.PutBytes(ctx, name, data); err != nil {
			return false, fmt.Errorf("storing a result: %w", explain(err))
		}
		data = []byte(freshFile + name)
	}
	_, err = d.bus.results.Create(ctx, d.ID, data)
	if err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
		return false, fmt.Errorf("storing a result: %w", explain(err))
	}
	if err := d.msg.DoubleAck(ctx); err != nil {
		return false, fmt.Errorf("ending the lease of a job: %w", err)
	}
	if d.over(ctx) {
		// It has cleaned up, maybe before this was stored, and does not come back to do it again.
		d.bus.unstore(ctx, d.ID)
	}
	return err == nil, nil
}

// over reports whether the hunt has said that it is.
func (d *Delivery) over(ctx context.Context) bool {
	_, err := d.bus.present.Get(ctx, overKey+d.Hunt())
	return err == nil
}

// Times is how often the job was handed out, this time included.
func (d *Delivery) Times() int {
	meta, err := d.msg.Metadata()
	if err != nil {
		return 0
	}
	return int(meta.NumDelivered)
}

// Last reports whether the job is not handed out again.
func (d *Delivery) Last() bool { return d.Times() >= Deliveries }

// Answered reports whether there is a result already, or nobody waits for one any more:
// then the job is not done.
func (d *Delivery) Answered(ctx context.Context) bool {
	_, err := d.bus.results.Get(ctx, d.ID)
	return err == nil || d.over(ctx)
}

// Drop ends a lease whose result nobody needs any more.
func (d *Delivery) Drop(ctx context.Context) error { return d.msg.DoubleAck(ctx) }

// Return gives the job back, for another worker to take it after a while.
func (d *Delivery) Return(after time.Duration) error { return d.msg.NakWithDelay(after) }

// PassOn gives the job to another worker as if it had not been handed out here: it is
// published anew, without the identity by which the server would know it, and what this
// worker has of it ends. Where it ends there twice, one result counts.
func (d *Delivery) PassOn(ctx context.Context) error {
	if _, err := d.bus.js.Publish(ctx, d.msg.Subject(), d.Data); err != nil {
		return fmt.Errorf("passing a job on: %w", explain(err))
	}
	return d.msg.DoubleAck(ctx)
}

// Refuse has nobody get the job again.
func (d *Delivery) Refuse(reason string) error { return d.msg.TermWithReason(reason) }

// OpenFile opens a file of a hunt.
func (b *Bus) OpenFile(ctx context.Context, hunt, digest string) (io.ReadCloser, error) {
	f, err := b.files.Get(ctx, hunt+"/"+digest)
	if err != nil {
		return nil, fmt.Errorf("getting a file from the fleet: %w", err)
	}
	return f, nil
}
