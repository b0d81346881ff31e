package subject

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestWork(t *testing.T) {
	var wg sync.WaitGroup
	for g := 0; g < 20; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 1000; i++ {
				Work(i)
				Off(i)
			}
		}()
	}
	wg.Wait()
}

func TestExit(t *testing.T) { Die(3) }

func TestKill(t *testing.T) {
	Work(1)
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// A child of the child's has no board, even if descriptor 3 is handed on.
func TestGrandchild(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd/3"); err == nil {
		if to, _ := os.Readlink("/proc/self/fd/3"); to == os.Getenv("BOARD") {
			t.Fatal("the board is still open")
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestWork$")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	Work(1)
}

// The test binary's own allocations are what they are.
func TestAllocs(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { Work(1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var sink []byte

func BenchmarkN(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Work(i)
		Off(i)
		sink = make([]byte, 100)
	}
}

// BenchmarkForced fails if collections were forced before other batches than
// the first of their length.
func BenchmarkForced(b *testing.B) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if forced.n != 0 && (m.NumForcedGC == forced.gcs) != (b.N == forced.n) {
		b.Errorf("%d collections, %d before; %d iterations, %d before", m.NumForcedGC, forced.gcs, b.N, forced.n)
	}
	forced.gcs, forced.n = m.NumForcedGC, b.N
}

func BenchmarkForcedToo(b *testing.B) { BenchmarkForced(b) }

var forced struct {
	gcs uint32
	n   int
}

func BenchmarkSub(b *testing.B) {
	Work(1)
	for _, name := range []string{"one", "two"} {
		b.Run(name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				Work(i)
			}
		})
	}
}

// What runs before ResetTimer and while the timer stands isn't counted.
func BenchmarkTimer(b *testing.B) {
	Wait(func() {
		for i := 0; i < 100; i++ {
			Work(i)
		}
		Spin(20 * time.Millisecond)
		b.ResetTimer()
		for i := 0; i < b.N; i++ {
			Work(i)
			b.StopTimer()
			Work(i)
			Spin(time.Millisecond)
			b.StartTimer()
		}
		b.StopTimer()
		Spin(20 * time.Millisecond)
		Work(1)
	})
}

// A region that ends long before the timer does.
func BenchmarkSpin(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Spin(time.Millisecond)
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			Work(1)
		}
	})
}

func BenchmarkFail(b *testing.B) {
	Work(1)
	b.Fatal("on purpose")
}

func BenchmarkGoexit(b *testing.B) {
	for i := 0; i < b.N; i++ {
		done := make(chan bool)
		go func() {
			defer close(done)
			Wait(runtime.Goexit)
		}()
		<-done
		func() {
			defer func() { recover() }()
			Wait(func() { panic("on purpose") })
		}()
		Wait(func() {})
	}
}

func generic[T any](b *testing.B) {
	var v [1]T
	for i := 0; i < b.N; i++ {
		sink = make([]byte, len(v))
	}
}

func BenchmarkGeneric(b *testing.B) { b.Run("int", generic[int]) }

// The first instruction is of the function inlined into it.
func BenchmarkLeaf(b *testing.B) {
	leafy(b)
}

func leafy(b *testing.B) { b.SetBytes(1) }

func BenchmarkFields(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Fields()
	}
}

func BenchmarkReports(b *testing.B) {
	b.SetBytes(1 << 20)
	for i := 0; i < b.N; i++ {
		Work(i)
	}
	b.ReportMetric(float64(b.N)/2, "hits/op")
	b.ReportMetric(1, "ns/op")
	if b.N == 7 {
		b.ReportMetric(3, "sevens")
	}
	for i := 0; b.N == 9 && i < 20; i++ {
		b.ReportMetric(1, "more-"+string(rune('a'+i)))
	}
}
