// Package bus is what hunts and workers say to each other, over NATS JetStream. It
// promises that a job that was published is done, lost with its server or given up
// aloud, and that of several results of one job one counts.
//
// A tenant has a work queue of jobs, a bucket of results, one of files, and one of
// those who are alive. A job lies in the queue of its class of machines, which all hunts
// share: a worker pulls from one consumer and so finds every hunt. What it holds is
// leased: it renews the lease while it works, and when it stops, another gets the job.
// A result is created, never written over, so the first one stands. Published twice, a
// job is one message for as long as the server remembers its identity (see remembers),
// and after that one result.
//
// The server may keep what it was told in memory for a while before it is on disk. What
// is lost so is published again by the hunt, which knows what it waits for.
package bus

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Deliveries is how often a job is handed out. One that ends as many workers is given up.
const Deliveries = 5

const (
	usualLease = 30 * time.Second
	remembers  = 2 * time.Hour // identities of published jobs: longer than a pair and its straggling
	stays      = 24 * time.Hour
	alive      = 45 * time.Second // without a sign
	signs      = alive / 3
	freshFile  = "file:"
	overKey    = "over." // and the hunt, among the signs of who is there
)

// Bus is a connection of one hunt or worker.
type Bus struct {
	// Lease is for how long a worker of this connection may be silent until another gets
	// its job; 0 is half a minute. The last worker to join its class decides.
	Lease time.Duration

	conn   *nats.Conn
	js     jetstream.JetStream
	tenant string
	again  chan struct{} // told when a lost connection is there again
	self   atomic.Pointer[sign]
	parts
}

// sign is what one says of oneself.
type sign struct {
	key   string
	value []byte
}

// parts are what a tenant has on the server.
type parts struct {
	jobs    jetstream.Stream
	results jetstream.KeyValue
	present jetstream.KeyValue
	files   jetstream.ObjectStore
}

// Connect joins a fleet. With a server of this process's own, nothing else is joined.
func Connect(ctx context.Context, j Join, own nats.InProcessConnProvider) (*Bus, error) {
	b := &Bus{tenant: j.Tenant, again: make(chan struct{}, 1)}
	opts, err := j.options()
	if err != nil {
		return nil, err
	}
	opts = append(opts, nats.Name("pinpoint"), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.PingInterval(10*time.Second), nats.MaxPingsOutstanding(2),
		nats.ReconnectHandler(func(*nats.Conn) {
			select {
			case b.again <- struct{}{}:
			default:
			}
		}),
		// What goes wrong is said by the calls that it makes fail.
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if own != nil {
		opts = append(opts, nats.InProcessServer(own))
	}
	if b.conn, err = nats.Connect(j.URL, opts...); err != nil {
		return nil, fmt.Errorf("joining the fleet: %w", err)
	}
	if b.js, err = jetstream.New(b.conn); err == nil {
		b.parts, err = b.open(ctx)
	}
	if err != nil {
		b.conn.Close()
		return nil, fmt.Errorf("joining the fleet: %w", err)
	}
	return b, nil
}

// Close leaves the fleet.
func (b *Bus) Close() { b.conn.Close() }

func (b *Bus) name(part string) string  { return "PINPOINT_" + b.tenant + "_" + part }
func (b *Bus) subject(of string) string { return "pinpoint." + b.tenant + ".jobs." + of }

// open finds what the tenant has on the server, and makes what isn't there.
func (b *Bus) open(ctx context.Context) (p parts, err error) {
	p.jobs, err = found(b.js.Stream(ctx, b.name("JOBS")))(func() (jetstream.Stream, error) {
		return b.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: b.name("JOBS"), Subjects: []string{b.subject(">")}, Retention: jetstream.WorkQueuePolicy,
			Discard: jetstream.DiscardNew, Duplicates: remembers, MaxAge: stays,
		})
	})
	if err != nil {
		return p, err
	}
	p.results, err = found(b.js.KeyValue(ctx, b.name("RESULTS")))(func() (jetstream.KeyValue, error) {
		return b.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: b.name("RESULTS"), TTL: stays})
	})
	if err != nil {
		return p, err
	}
	p.present, err = found(b.js.KeyValue(ctx, b.name("ALIVE")))(func() (jetstream.KeyValue, error) {
		return b.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: b.name("ALIVE"), TTL: alive, Storage: jetstream.MemoryStorage})
	})
	if err != nil {
		return p, err
	}
	p.files, err = found(b.js.ObjectStore(ctx, b.name("FILES")))(func() (jetstream.ObjectStore, error) {
		return b.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: b.name("FILES"), TTL: stays})
	})
	return p, err
}

// Reopen makes again what a server has lost. What was opened before stays good, since it
// goes by names.
func (b *Bus) Reopen(ctx context.Context) error {
	if _, err := b.open(ctx); err != nil {
		return err
	}
	return b.sign(ctx)
}

// found is what is there, or what is made in its place. Another may make it meanwhile, as
// it is made here.
func found[T any](have T, err error) func(create func() (T, error)) (T, error) {
	return func(create func() (T, error)) (T, error) {
		if err == nil || !errors.Is(err, jetstream.ErrStreamNotFound) && !errors.Is(err, jetstream.ErrBucketNotFound) {
			return have, err
		}
		return create()
	}
}

// Alive tells the others that one is there, and goes on to until the context ends. Of a
// worker the value says what it is.
func (b *Bus) Alive(ctx context.Context, key string, value []byte) error {
	b.self.Store(&sign{key, value})
	if err := b.sign(ctx); err != nil {
		return fmt.Errorf("telling the fleet that one is there: %w", err)
	}
	go func() {
		tick := time.NewTicker(signs)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				b.sign(ctx) // the next one may get through
			case <-ctx.Done():
				last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
				defer cancel()
				b.present.Delete(last, key)
				return
			}
		}
	}()
	return nil
}

// Say has others told something else of oneself from now on.
func (b *Bus) Say(ctx context.Context, value []byte) error {
	if s := b.self.Load(); s != nil {
		b.self.Store(&sign{s.key, value})
	}
	return b.sign(ctx)
}

func (b *Bus) sign(ctx context.Context) error {
	s := b.self.Load()
	if s == nil {
		return nil
	}
	_, err := b.present.Put(ctx, s.key, s.value)
	return err
}
