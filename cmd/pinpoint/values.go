package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// A share is the value of a flag such as 2% or 0.02, between 0 and 1; 0 is none.
type share struct{ of *float64 }

func (s share) Type() string { return "share" }

func (s share) String() string {
	if *s.of == 0 {
		return ""
	}
	return strconv.FormatFloat(100**s.of, 'g', 6, 64) + "%"
}

func (s share) Set(value string) error {
	x, err := text.ParseShare(value)
	if err != nil || !(x > 0 && x < 1) {
		return errors.New("give a share above 0 % and below 100 %, such as 2%")
	}
	*s.of = x
	return nil
}

// A size is the value of a flag such as 4GiB, in bytes; 0 is none.
type size int64

func (s *size) Type() string { return "size" }

func (s *size) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*s), 10)
}

func (s *size) Set(value string) error {
	number := strings.TrimRight(value, "BGKMTikb")
	unit, ok := map[string]int64{"": 1, "B": 1, "K": 1 << 10, "KiB": 1 << 10, "M": 1 << 20, "MiB": 1 << 20, "G": 1 << 30, "GiB": 1 << 30, "T": 1 << 40, "TiB": 1 << 40}[value[len(number):]]
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || !ok || n <= 0 || n > math.MaxInt64/unit {
		return errors.New("give a number of bytes above 0, such as 512MiB or 4GiB")
	}
	*s = size(n * unit)
	return nil
}

// envNames are values of a flag that are names of variables.
type envNames []string

func (e *envNames) Type() string   { return "stringArray" }
func (e *envNames) String() string { return strings.Join(*e, ",") }

func (e *envNames) Set(value string) error {
	if value == "" || strings.ContainsAny(value, "=\x00") {
		return errors.New("give the name of a variable alone: its value is the one that it has here")
	}
	*e = append(*e, value)
	return nil
}

// A choice is the value of a flag that takes one of some words.
type choice struct {
	of    *string
	among []string
}

func (c choice) Type() string   { return "string" }
func (c choice) String() string { return *c.of }

func (c choice) Set(value string) error {
	if !slices.Contains(c.among, value) {
		return fmt.Errorf("choose one of %s", strings.Join(c.among, ", "))
	}
	*c.of = value
	return nil
}

// numbers reads a list such as 1,2.
func numbers(list string) ([]int, error) {
	var ns []int
	for part := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 {
			return nil, errors.New("give numbers of processors, such as 1,2")
		}
		ns = append(ns, n)
	}
	return ns, nil
}
