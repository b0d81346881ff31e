package harness

import (
	"slices"
	"testing"
)

func TestEnvironment(t *testing.T) {
	user := map[string]string{
		"PATH": "/usr/bin", "HOME": "/home/u", "USER": "u", "GOGC": "10", "GOMAXPROCS": "1", "GODEBUG": "x=1",
		"LANG": "de_DE", "LC_ALL": "de_DE", "TMPDIR": "/user/tmp", "PWD": "/user", "LD_PRELOAD": "x.so", "TOKEN": "t",
	}
	look := func(name string) (string, bool) { v, ok := user[name]; return v, ok }
	for _, test := range []struct {
		name string
		b    Binary
		w    Workload
		want []string
	}{
		{"benchmark", Binary{Dir: "/pkg", Root: "/go"}, Workload{CPUs: 2},
			[]string{"LANG=C", "PATH=/go/bin:/usr/bin", "HOME=/home/u", "USER=u", "TMPDIR=/tmp/x", "PWD=/pkg"}},
		{"program", Binary{Dir: "/m"}, Workload{Kind: Main, CPUs: 2},
			[]string{"LANG=C", "PATH=/usr/bin", "HOME=/home/u", "USER=u", "TMPDIR=/tmp/x", "PWD=/m", "GOMAXPROCS=2"}},
		{"values", Binary{Dir: "/pkg"}, Workload{Env: []string{"GOGC"}, Set: []string{"GOGC=off", "SIZE=1"}},
			[]string{"LANG=C", "PATH=/usr/bin", "HOME=/home/u", "USER=u", "GOGC=off", "SIZE=1", "TMPDIR=/tmp/x", "PWD=/pkg"}},
		{"more names", Binary{Dir: "/m"}, Workload{Env: []string{"TOKEN", "UNSET", "LANG", "HOME", "TMPDIR"}},
			[]string{"PATH=/usr/bin", "USER=u", "TOKEN=t", "LANG=de_DE", "HOME=/home/u", "TMPDIR=/tmp/x", "PWD=/m"}},
	} {
		if got := environment(look, test.b, test.w, "/tmp/x"); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		name string
		w    Workload
		o    Order
		want []string
	}{
		{"benchmark", Workload{Pattern: "BenchmarkX/size=10", CPUs: 2}, Order{N: 12, Batches: 4},
			[]string{"-test.paniconexit0", "-test.timeout=0", "-test.run=^$", "-test.bench=BenchmarkX/size=10", "-test.benchtime=12x", "-test.count=4", "-test.cpu=2"}},
		{"calibration", Workload{Pattern: "X"}, Order{Batches: 4},
			[]string{"-test.paniconexit0", "-test.timeout=0", "-test.run=^$", "-test.bench=X", "-test.benchtime=30ms", "-test.count=1"}},
		{"test", Workload{Kind: Test, Pattern: "^TestX$", Args: []string{"-own"}}, Order{},
			[]string{"-test.paniconexit0", "-test.timeout=0", "-test.run=^TestX$", "-test.v=false", "-test.count=1", "-own"}},
		{"program", Workload{Kind: Main, Args: []string{"a b", "-c"}, CPUs: 2}, Order{N: 1}, []string{"a b", "-c"}},
	} {
		if got := test.w.arguments(test.o); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// The paths of two rooms are of one length: they are in the environment,
// which lies above the stack.
func TestRoomsHaveOneLength(t *testing.T) {
	var lengths []int
	for range 20 {
		r, err := newRoom(nil)
		if err != nil {
			t.Fatal(err)
		}
		lengths = append(lengths, len(r.tmp))
		if err := r.close(); err != nil {
			t.Error(err)
		}
	}
	if slices.Min(lengths) != slices.Max(lengths) {
		t.Errorf("lengths %v", lengths)
	}
}
