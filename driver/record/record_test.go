package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

type pair[A, B any] struct {
	a A
	b B //lint:ignore U1000 it is what is recorded
}

type level int

type tree struct {
	sync.Mutex
	left, right *tree
	name        string
}

const here = "github.com/pinpoint-go/pinpoint/driver/record"

func TestDescribe(t *testing.T) {
	read := bytes.NewReader([]byte("abcdef"))
	read.ReadByte()
	request, _ := http.NewRequest("GET", "/x", nil)
	for _, c := range []struct {
		value any
		want  string // packages by the last element of their paths
	}{
		{nil, "nil"},
		{int8(-3), "(int8)(-3)"},
		{level(2), "(level)(2)"},
		{"a\x00\"", `"a\x00\""`},
		{[]byte("x\xff"), `([]uint8)("x\xff")`},
		{[]string(nil), "([]string)(nil)"},
		{map[string][]int{"b": {1}, "a": nil}, `map[string][]int{"a": ([]int)(nil), "b": []int{(int)(1)}}`},
		{math.Inf(-1), "(float64)(math.Inf(-1))"},
		{2 * time.Second, "(time.Duration)(2000000000)"},
		{time.Unix(1e9, 7).UTC(), "time.Unix(1000000000, 7).UTC()"},
		{time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC), "time.Unix(-5364662400, 0).UTC()"},
		{pair[int, http.Header]{a: 1}, "pair[int,http.Header]{a: (int)(1)}"},
		{read, `bytes.NewReader([]byte("bcdef"))`},
		{strings.NewReader("s"), `strings.NewReader(string("s"))`},
		{bytes.NewBufferString("s"), `bytes.NewBuffer([]byte("s"))`},
		{regexp.MustCompile("a+"), `regexp.MustCompile(string("a+"))`},
		{errors.New("e"), `errors.New(string("e"))`},
		{io.Discard, "io.Discard"},
		{http.NoBody, "http.NoBody"},
		{context.Background(), "context.Background()"},
		{tree{name: "n"}, `tree{name: "n"}`},
		{func() {}, "! is a function"},
		{(func(int, ...string) error)(nil), "(func(int, ...string) (error))(nil)"},
		{make(chan int), "! is a chan"},
		{[]any{1, make(chan int)}, "![] is a chan"},
		{struct{ a int }{1}, "! is of a type without a name: struct { a int }"},
		{http.Cookie{Name: "c"}, `http.Cookie{Name: "c"}`},
		{time.NewTimer(time.Hour), "!.C is a chan"},
		{request, "p0"},
	} {
		got := pinpointDescribe(here, []interface{}{c.value})
		if why, refused := strings.CutPrefix(c.want, "!"); refused {
			if len(got.Refused) == 0 || !strings.HasPrefix(got.Refused[0], why) {
				t.Errorf("%T: %+v, want it refused: %s", c.value, got, why)
			}
			continue
		}
		if len(got.Refused) > 0 || short(got.Args[0]) != c.want {
			t.Errorf("%T: %+v, want %s", c.value, got, c.want)
		}
	}
}

// short leaves of a package's placeholder the last element.
func short(text string) string {
	return regexp.MustCompile("\x00([^\x00]*/)?([^\x00]*)\x00").ReplaceAllString(text, "$2")
}

func TestPointers(t *testing.T) {
	shared := &tree{name: "shared"}
	root := &tree{left: shared, right: &tree{left: shared}}
	root.right.right = root
	for i := 0; i < 1000; i++ { // deeper than values may be
		shared.right = &tree{}
		shared = shared.right
	}
	got := pinpointDescribe(here, []interface{}{root, root.right})
	if len(got.Refused) > 0 || got.Args[0] != "p0" || got.Args[1] != "p2" || len(got.Make) < 1003 {
		t.Fatalf("%v %v, %d statements", got.Refused, got.Args, len(got.Make))
	}
	text := strings.Join(got.Make, "\n")
	for _, want := range []string{"p0 := new(tree)\n", "*p0 = tree{left: p1, right: p2}\n", "*p2 = tree{left: p1, right: p0}\n", `*p1 = tree{right: p3, name: "shared"}`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%.500s", want, text)
		}
	}
}

func TestClasses(t *testing.T) {
	for size, want := range map[int]int{0: 0, 16: 0, 17: 1, 256: 1, 272: 2, 1 << 20: 4} {
		if got := pinpointClass(size); got != want {
			t.Errorf("%d bytes are of class %d, want %d", size, got, want)
		}
	}
}
