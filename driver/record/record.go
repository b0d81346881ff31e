// Package record is what a program is given that is to tell how one of its functions was
// called: package driver copies it into the function's package, under that one's name.
// It writes a line of JSON for each call that is kept, and one for what could not be
// written down.
//
// Arguments become statements of Go. Names of packages in them stand as \x00path\x00,
// for whoever puts them into a file. It must build in the language of Go 1.17.
package record

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// The bounds of what is kept: distinct calls, in all and of one size class, their bytes,
// those of one call, and how many calls are looked at.
const (
	pinpointCalls    = 64
	pinpointPerClass = 16
	pinpointBytes    = 4 << 20
	pinpointPerCall  = 1 << 20
	pinpointLooks    = 20000
)

// pinpointCall is a line of the record.
type pinpointCall struct {
	Size    int      // bytes of data
	Make    []string // statements that make the arguments
	Args    []string // expressions, by parameter, the receiver first
	Changed bool     // the call changed what it was given
	Refused []string // by parameter: why it can't be written down; "" if it can
}

var pinpointRecorder = struct {
	sync.Mutex
	file    *os.File
	opened  bool
	looks   int
	calls   int
	bytes   int
	classes map[int]int
	seen    map[string]bool
}{classes: map[int]int{}, seen: map[string]bool{}}

// pinpointRecord notes a call with its arguments. What it returns is to run when the call
// ends: a call that panics is not kept.
func pinpointRecord(pkg string, args []interface{}) func() {
	before, ok := pinpointLook(pkg, args)
	if !ok {
		return func() {}
	}
	return func() {
		if r := recover(); r != nil {
			panic(r)
		}
		after := pinpointDescribe(pkg, args)
		before.Changed = !reflect.DeepEqual(before.Make, after.Make) || !reflect.DeepEqual(before.Args, after.Args)
		pinpointKeep(before)
	}
}

// pinpointLook says whether a call is worth keeping.
func pinpointLook(pkg string, args []interface{}) (pinpointCall, bool) {
	r := &pinpointRecorder
	r.Lock()
	defer r.Unlock()
	if !r.opened {
		r.opened = true
		if name := os.Getenv("PINPOINT_RECORD"); name != "" {
			r.file, _ = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		}
	}
	if r.looks++; r.file == nil || r.calls == pinpointCalls || r.looks > pinpointLooks {
		return pinpointCall{}, false
	}
	c := pinpointDescribe(pkg, args)
	key := fmt.Sprint(c.Make, c.Args, c.Refused)
	if r.seen[key] || c.Size > pinpointPerCall || r.bytes+len(key) > pinpointBytes || r.classes[pinpointClass(c.Size)] == pinpointPerClass {
		return c, false
	}
	r.seen[key] = true
	return c, true
}

func pinpointKeep(c pinpointCall) {
	r := &pinpointRecorder
	r.Lock()
	defer r.Unlock()
	line, err := json.Marshal(c)
	if err != nil || r.calls == pinpointCalls {
		return
	}
	r.file.Write(append(line, '\n'))
	if len(c.Refused) == 0 {
		r.calls++
		r.bytes += len(line)
		r.classes[pinpointClass(c.Size)]++
	}
}

// pinpointClass is the size class: powers of 16.
func pinpointClass(size int) int {
	class := 0
	for size > 16 {
		size /= 16
		class++
	}
	return class
}

// pinpointDescribe writes the arguments down.
func pinpointDescribe(pkg string, args []interface{}) pinpointCall {
	w := &pinpointWriter{pkg: pkg, pointers: map[pinpointPointer]string{}}
	refused := make([]string, len(args))
	any := false
	for i, arg := range args {
		w.reason, w.path = "", nil
		w.args = append(w.args, w.expr(reflect.ValueOf(arg), 0))
		w.follow()
		if w.reason != "" {
			refused[i], any = w.reason, true
		}
	}
	c := pinpointCall{Size: w.size, Make: append(w.declared, w.made...), Args: w.args}
	if any {
		return pinpointCall{Refused: refused}
	}
	return c
}

type pinpointPointer struct {
	typ reflect.Type
	at  uintptr
}

// pinpointTarget is what a pointer points to, with the way to it.
type pinpointTarget struct {
	name string
	v    reflect.Value
	path []string
}

// pinpointWriter writes values as Go. A pointer is a variable, declared before all are
// assigned, so that what is shared or goes round in a circle stays so.
type pinpointWriter struct {
	pkg      string
	pointers map[pinpointPointer]string
	todo     []pinpointTarget
	declared []string
	made     []string
	args     []string
	size     int
	path     []string // to the value at hand
	reason   string   // why it can't be written; the first
}

func (w *pinpointWriter) refuse(why string) string {
	if w.reason == "" {
		w.reason = strings.Join(w.path, "") + " " + why
	}
	return "nil"
}

const pinpointDepth = 200

// expr is an expression for a value.
func (w *pinpointWriter) expr(v reflect.Value, depth int) string {
	switch {
	case w.reason != "":
		return "nil"
	case !v.IsValid():
		return "nil"
	case depth > pinpointDepth || w.size > pinpointPerCall:
		return w.refuse("is too large")
	}
	if known, ok := w.known(v); ok {
		return known
	}
	t := v.Type()
	switch v.Kind() {
	case reflect.Bool:
		return w.typed(t, strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.size += int(t.Size())
		return w.typed(t, strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		w.size += int(t.Size())
		return w.typed(t, strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		w.size += int(t.Size())
		return w.float(t, v.Float())
	case reflect.Complex64, reflect.Complex128:
		w.size += int(t.Size())
		c := v.Complex()
		f := reflect.TypeOf(float64(0))
		return w.typed(t, "complex("+w.float(f, real(c))+", "+w.float(f, imag(c))+")")
	case reflect.String:
		w.size += v.Len()
		if t == reflect.TypeOf("") {
			return strconv.Quote(v.String())
		}
		return w.typed(t, strconv.Quote(v.String()))
	case reflect.Slice:
		return w.slice(v, depth)
	case reflect.Array:
		return w.typ(t) + "{" + w.elements(v, depth) + "}"
	case reflect.Map:
		return w.mapping(v, depth)
	case reflect.Struct:
		return w.structure(v, depth)
	case reflect.Ptr:
		return w.pointer(v)
	case reflect.Interface:
		return w.expr(v.Elem(), depth+1)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			return w.typed(t, "nil")
		}
		return w.refuse("is a " + strings.Replace(v.Kind().String(), "func", "function", 1))
	}
	return w.refuse("is a " + v.Kind().String())
}

func (w *pinpointWriter) typed(t reflect.Type, text string) string {
	return "(" + w.typ(t) + ")(" + text + ")"
}

func (w *pinpointWriter) float(t reflect.Type, f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	switch text {
	case "NaN":
		text = "\x00math\x00.NaN()"
	case "+Inf":
		text = "\x00math\x00.Inf(1)"
	case "-Inf":
		text = "\x00math\x00.Inf(-1)"
	}
	return w.typed(t, text)
}

func (w *pinpointWriter) slice(v reflect.Value, depth int) string {
	t := v.Type()
	if v.IsNil() {
		return w.typed(t, "nil")
	}
	if t.Elem().Kind() == reflect.Uint8 && t.Elem().PkgPath() == "" {
		w.size += v.Len()
		return w.typed(t, strconv.Quote(string(pinpointData(v))))
	}
	return w.typ(t) + "{" + w.elements(v, depth) + "}"
}

// pinpointData is a copy of a slice of bytes, which a field may hold that is not exported.
func pinpointData(v reflect.Value) []byte {
	b := make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	return b
}

func (w *pinpointWriter) elements(v reflect.Value, depth int) string {
	var list []string
	w.path = append(w.path, "[]")
	for i := 0; i < v.Len() && w.reason == ""; i++ {
		list = append(list, w.expr(v.Index(i), depth+1))
	}
	w.path = w.path[:len(w.path)-1]
	return strings.Join(list, ", ")
}

func (w *pinpointWriter) mapping(v reflect.Value, depth int) string {
	if v.IsNil() {
		return w.typed(v.Type(), "nil")
	}
	var list []string
	w.path = append(w.path, "[]")
	for _, key := range v.MapKeys() {
		if key.Kind() == reflect.Ptr || key.Kind() == reflect.Interface {
			w.refuse("is a map by " + key.Kind().String())
			break
		}
		list = append(list, w.expr(key, depth+1)+": "+w.expr(v.MapIndex(key), depth+1))
	}
	w.path = w.path[:len(w.path)-1]
	sort.Strings(list)
	return w.typ(v.Type()) + "{" + strings.Join(list, ", ") + "}"
}

func (w *pinpointWriter) structure(v reflect.Value, depth int) string {
	t := v.Type()
	var list []string
	for i := 0; i < t.NumField() && w.reason == ""; i++ {
		f := t.Field(i)
		if v.Field(i).IsZero() || f.Name == "_" {
			continue // a lock that nobody holds, for one
		}
		w.path = append(w.path, "."+f.Name)
		switch {
		case f.PkgPath != "" && f.PkgPath != w.pkg && pinpointBackground(v.Field(i)):
		case f.PkgPath != "" && f.PkgPath != w.pkg:
			w.refuse("is a field that only " + f.PkgPath + " knows")
		default:
			list = append(list, f.Name+": "+w.expr(v.Field(i), depth+1))
		}
		w.path = w.path[:len(w.path)-1]
	}
	return w.typ(t) + "{" + strings.Join(list, ", ") + "}"
}

// pinpointBackground says whether a value is a context without anything in it: a zero
// field means the same.
func pinpointBackground(v reflect.Value) bool {
	return v.Kind() == reflect.Interface && v.Elem().Type().String() == "context.backgroundCtx"
}

func (w *pinpointWriter) pointer(v reflect.Value) string {
	t := v.Type()
	if v.IsNil() {
		return w.typed(t, "nil")
	}
	id := pinpointPointer{t, v.Pointer()}
	if name, ok := w.pointers[id]; ok {
		return name
	}
	name := "p" + strconv.Itoa(len(w.pointers))
	w.pointers[id] = name
	w.declared = append(w.declared, name+" := new("+w.typ(t.Elem())+")")
	path := append([]string(nil), w.path...)
	if len(path) > 4 { // the end of it says enough
		path = append([]string{"..."}, path[len(path)-3:]...)
	}
	w.todo = append(w.todo, pinpointTarget{name, v.Elem(), path})
	return name
}

// follow writes what pointers point to: one after the other, for lists may be long.
func (w *pinpointWriter) follow() {
	for len(w.todo) > 0 && w.reason == "" {
		next := w.todo[0]
		w.todo, w.path = w.todo[1:], next.path
		if !next.v.IsZero() {
			w.made = append(w.made, "*"+next.name+" = "+w.expr(next.v, 0))
		}
	}
	w.todo = nil
}

// typ is a type as a file of the function's package spells it.
func (w *pinpointWriter) typ(t reflect.Type) string {
	if t.Name() != "" {
		switch {
		case t.PkgPath() == "":
			return t.Name()
		case t.PkgPath() == w.pkg:
			return w.instance(t.Name())
		case strings.HasSuffix(t.PkgPath(), "_test"):
			return w.refuse("is a " + t.String() + ", which only tests have")
		case !strings.ContainsAny(t.Name()[:1], "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
			return w.refuse("is a " + t.String() + ", which has no name outside of its package")
		}
		return "\x00" + t.PkgPath() + "\x00." + w.instance(t.Name())
	}
	switch t.Kind() {
	case reflect.Ptr:
		return "*" + w.typ(t.Elem())
	case reflect.Slice:
		return "[]" + w.typ(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + w.typ(t.Elem())
	case reflect.Map:
		return "map[" + w.typ(t.Key()) + "]" + w.typ(t.Elem())
	case reflect.Struct:
		if t.NumField() == 0 {
			return "struct{}"
		}
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return "interface{}"
		}
	case reflect.Func:
		return w.function(t)
	}
	return w.refuse("is of a type without a name: " + t.String())
}

func (w *pinpointWriter) function(t reflect.Type) string {
	var in, out []string
	for i := 0; i < t.NumIn(); i++ {
		text := w.typ(t.In(i))
		if t.IsVariadic() && i == t.NumIn()-1 {
			text = "..." + w.typ(t.In(i).Elem())
		}
		in = append(in, text)
	}
	for i := 0; i < t.NumOut(); i++ {
		out = append(out, w.typ(t.Out(i)))
	}
	return "func(" + strings.Join(in, ", ") + ") (" + strings.Join(out, ", ") + ")"
}

// instance is a type's name. Type arguments are in it by their import paths.
func (w *pinpointWriter) instance(name string) string {
	i := strings.IndexByte(name, '[')
	if i < 0 {
		return name
	}
	var out strings.Builder
	out.WriteString(name[:i])
	word := ""
	flush := func() {
		if dot := strings.LastIndexByte(word, '.'); dot > 0 {
			if path := word[:dot]; path == w.pkg {
				word = word[dot+1:]
			} else {
				word = "\x00" + path + "\x00" + word[dot:]
			}
		}
		out.WriteString(word)
		word = ""
	}
	for _, r := range name[i:] {
		if strings.ContainsRune("[]*,(){} ", r) {
			flush()
			out.WriteRune(r)
			continue
		}
		word += string(r)
	}
	flush()
	return out.String()
}
