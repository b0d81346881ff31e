package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// deltaNumbers are what a delta has in every report. A part that takes no time in
// good has no ratio.
var deltaNumbers = []string{"good", "bad", "confidence", "diff.mean", "diff.low", "diff.high"}

// requiredFields are the paths that the schema pinpoint/report/v1 promises for a
// regression whose culprit was found, each with the type of its value.
var requiredFields = map[string][]string{
	"string": {
		"schema", "verdict",
		"workload.kind", "workload.package", "workload.pattern", "workload.metric", "workload.func",
		"good.rev", "good.commit", "bad.rev", "bad.commit",
		"whole.unit",
		"culprits.0.function", "culprits.0.kind", "culprits.0.position", "culprits.0.delta.unit",
		"culprits.0.chain.0.function", "culprits.0.chain.0.call", "culprits.0.chain.0.position",
		"search.finder", "provenance.pinpoint", "provenance.date",
		"provenance.host.0", "provenance.environment.0", "provenance.commands.0",
	},
	"number": slices.Concat(
		[]string{
			"culprits.0.share", "culprits.0.calls_good", "culprits.0.calls_bad", "culprits.0.chain.0.share",
			"unexplained",
			"search.layers", "search.comparisons", "search.builds", "search.processes", "search.seconds", "search.seed",
			"provenance.campaigns.0.good.0", "provenance.campaigns.0.bad.0",
		},
		[]string{"whole.ratio.mean", "whole.ratio.low", "whole.ratio.high"},
		below("whole", deltaNumbers), below("culprits.0.delta", deltaNumbers), below("culprits.0.chain.0.delta", deltaNumbers),
	),
	"list": {"culprits", "culprits.0.chain", "culprits.0.evidence", "culprits.0.commits", "warnings"},
	"bool": {"culprits.0.confirmed"},
}

// below puts a path before each field.
func below(path string, fields []string) []string {
	var paths []string
	for _, f := range fields {
		paths = append(paths, path+"."+f)
	}
	return paths
}

// checkSchema is "schema FILE": a report has every field that is promised for a culprit
// that was found, and is as the published schema says.
func checkSchema(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: schema file")
	}
	var doc any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &doc))
	var wrong []string
	for want, paths := range requiredFields {
		for _, path := range paths {
			if got := typeOf(find(doc, path)); got != want {
				wrong = append(wrong, fmt.Sprintf("%s is a %s, want a %s", path, got, want))
			}
		}
	}
	published, err := jsonschema.NewCompiler().Compile(filepath.Join(ts.Getenv("REPORTS"), "..", "report.schema.json"))
	ts.Check(err)
	ts.Check(published.Validate(doc))
	if len(wrong) > 0 {
		slices.Sort(wrong)
		ts.Fatalf("%s", strings.Join(wrong, "\n"))
	}
}

// typeOf names what JSON calls the type of v.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "bool"
	case []any:
		return "list"
	}
	return "object"
}
