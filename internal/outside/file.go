package outside

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"syscall"
)

// File reads a file that others may have written, of at most so many bytes. What they may
// have put in its place, a link, a pipe or a device, is an error.
func File(name string, most int64) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|noFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return bounded(f, name, most)
}

// Named reads a file that the user names, of at most so many bytes: it may be a link or a
// pipe, and by mistake one that never ends.
func Named(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bounded(f, name, most)
}

// Inflate gives what is compressed by gzip, if it is, of at most so many bytes.
func Inflate(data []byte, most int64) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return bounded(r, "what was compressed", most)
}

func bounded(r io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", name, most)
	}
	return data, err
}
