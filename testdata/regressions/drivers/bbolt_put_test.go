package bbolt_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

var errDrvRollback = errors.New("not to be kept")

// BenchmarkDrvPut puts a hundred keys that are there already, in a transaction that is
// rolled back.
func BenchmarkDrvPut(b *testing.B) {
	db, err := bolt.Open(filepath.Join(b.TempDir(), "drv.db"), 0o600, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	keys := make([][]byte, 100)
	for i := range keys {
		keys[i] = []byte(fmt.Sprintf("key-%06d", i))
	}
	value := []byte("a value of some length")
	put := func(tx *bolt.Tx) error {
		bucket, err := tx.CreateBucketIfNotExists([]byte("drv"))
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := bucket.Put(key, value); err != nil {
				return err
			}
		}
		return nil
	}
	if err := db.Update(put); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		err := db.Update(func(tx *bolt.Tx) error {
			if err := put(tx); err != nil {
				return err
			}
			return errDrvRollback
		})
		if err != errDrvRollback {
			b.Fatal(err)
		}
	}
}
