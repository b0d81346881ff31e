package gate

import (
	"encoding/xml"
	"errors"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/harness"
)

type junitSuite struct {
	Name   string       `xml:"name,attr"`
	Suites []junitSuite `xml:"testsuite"`
	Cases  []struct {
		Name    string `xml:"name,attr"`
		Class   string `xml:"classname,attr"`
		Time    string `xml:"time,attr"`
		Failure *struct {
			Message string `xml:"message,attr"`
			Text    string `xml:",chardata"`
		} `xml:"failure"`
		Error *struct {
			Message string `xml:"message,attr"`
		} `xml:"error"`
	} `xml:"testcase"`
}

// readJUnit takes the cases that failed: benchmarks, and tests by their outermost name.
func readJUnit(data []byte, _ float64) ([]Alarm, error) {
	var top junitSuite
	if err := xml.Unmarshal(data, &top); err != nil {
		return nil, err
	}
	var alarms []Alarm
	cases := 0
	var add func(s junitSuite)
	add = func(s junitSuite) {
		for _, c := range s.Cases {
			cases++
			if c.Failure == nil && c.Error == nil {
				continue
			}
			m := named.FindStringSubmatch(strings.ReplaceAll(c.Name, " ", "_"))
			if m == nil || m[2] == "TestMain" { // gotestsum has what the whole process said as that
				continue
			}
			seconds, _ := strconv.ParseFloat(c.Time, 64)
			a := Alarm{Kind: kinds[m[3]+m[4]], Package: packageOf(c.Class, s.Name), Name: m[2], Seconds: seconds, Claim: "failed"}
			if a.Kind == harness.Test {
				a.Name, _, _ = strings.Cut(a.Name, "/")
			}
			alarms = append(alarms, a)
		}
		for _, inner := range s.Suites {
			add(inner)
		}
	}
	add(top)
	if cases == 0 {
		return nil, errors.New("no test cases: it is not JUnit's")
	}
	return alarms, nil
}

// packageOf is whichever of two names looks like an import path.
func packageOf(names ...string) string {
	for _, name := range names {
		if strings.Contains(name, "/") {
			return name
		}
	}
	return ""
}
