package main

import (
	"errors"
	"fmt"
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
