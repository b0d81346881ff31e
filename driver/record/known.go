package record

import (
	"reflect"
	"strconv"
	"strings"
)

// known writes values of the standard library that are data, though they keep it to
// themselves.
func (w *pinpointWriter) known(v reflect.Value) (string, bool) {
	t := v.Type()
	if t.Kind() == reflect.Ptr && v.IsNil() {
		return "", false
	}
	switch t.String() {
	case "*bytes.Reader":
		data := pinpointData(v.Elem().FieldByName("s"))
		return w.reader("bytes", "NewReader", "[]byte", string(data[pinpointAt(v.Elem(), "i", len(data)):])), true
	case "*strings.Reader":
		text := v.Elem().FieldByName("s").String()
		return w.reader("strings", "NewReader", "string", text[pinpointAt(v.Elem(), "i", len(text)):]), true
	case "*bytes.Buffer":
		data := pinpointData(v.Elem().FieldByName("buf"))
		return w.reader("bytes", "NewBuffer", "[]byte", string(data[pinpointAt(v.Elem(), "off", len(data)):])), true
	case "bytes.Buffer":
		data := pinpointData(v.FieldByName("buf"))
		return "*" + w.reader("bytes", "NewBuffer", "[]byte", string(data[pinpointAt(v, "off", len(data)):])), true
	case "*strings.Builder":
		if v.Elem().FieldByName("buf").Len() == 0 {
			return "new(\x00strings\x00.Builder)", true
		}
	case "*regexp.Regexp":
		return w.reader("regexp", "MustCompile", "string", v.Elem().FieldByName("expr").String()), true
	case "*errors.errorString":
		return w.reader("errors", "New", "string", v.Elem().FieldByName("s").String()), true
	case "time.Time":
		return w.time(v)
	case "io.discard":
		return "\x00io\x00.Discard", true
	case "http.noBody":
		return "\x00net/http\x00.NoBody", true
	case "io.nopCloser", "io.nopCloserWriterTo":
		return "\x00io\x00.NopCloser(" + w.expr(v.Field(0), 1) + ")", true
	case "context.backgroundCtx":
		return "\x00context\x00.Background()", true
	case "context.todoCtx":
		return "\x00context\x00.TODO()", true
	}
	return "", false
}

func pinpointAt(v reflect.Value, field string, most int) int {
	at := int(v.FieldByName(field).Int())
	if at > most {
		return most
	}
	return at
}

func (w *pinpointWriter) reader(pkg, make, typ, text string) string {
	w.size += len(text)
	return "\x00" + pkg + "\x00." + make + "(" + typ + "(" + strconv.Quote(text) + "))"
}

// time is an instant in UTC. Other zones are pointers into a table.
func (w *pinpointWriter) time(v reflect.Value) (string, bool) {
	wall, ext := v.FieldByName("wall").Uint(), v.FieldByName("ext").Int()
	if wall == 0 && ext == 0 {
		return "\x00time\x00.Time{}", true
	}
	if loc := v.FieldByName("loc"); !loc.IsNil() && loc.Elem().FieldByName("name").String() != "UTC" && !strings.Contains(loc.Elem().FieldByName("name").String(), "Local") {
		return "", false
	}
	const hasMonotonic, wallBits, toUnix = 1 << 63, 30, 62135596800
	nanos := int64(wall & (1<<wallBits - 1))
	seconds := ext - toUnix
	if wall&hasMonotonic != 0 {
		const from1885 = 59453308800
		seconds = int64(wall<<1>>(wallBits+1)) + from1885 - toUnix
	}
	w.size += 16
	return "\x00time\x00.Unix(" + strconv.FormatInt(seconds, 10) + ", " + strconv.FormatInt(nanos, 10) + ").UTC()", true
}
