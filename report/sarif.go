package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"path"
	"path/filepath"

	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/internal/text"
)

// What follows is the part of SARIF 2.1.0 that is used here (OASIS, "Static
// Analysis Results Interchange Format", section 3).
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool              sarifTool         `json:"tool"`
		Invocations       []sarifInvocation `json:"invocations"`
		AutomationDetails sarifAutomation   `json:"automationDetails"`
		ColumnKind        string            `json:"columnKind"`
		Results           []sarifResult     `json:"results"`
		Properties        map[string]any    `json:"properties"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string        `json:"name"`
		InformationURI string        `json:"informationUri"`
		Version        outside.Plain `json:"version,omitempty"`
		Rules          []sarifRule   `json:"rules"`
	}
	sarifRule struct {
		ID                   string       `json:"id"`
		Name                 string       `json:"name"`
		ShortDescription     sarifMessage `json:"shortDescription"`
		FullDescription      sarifMessage `json:"fullDescription"`
		Help                 sarifMessage `json:"help"` // without it GitHub's code scanning takes no rule
		HelpURI              string       `json:"helpUri"`
		DefaultConfiguration sarifConfig  `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text outside.Plain `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful        bool                `json:"executionSuccessful"`
		ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string       `json:"level"`
		Message sarifMessage `json:"message"`
	}
	sarifAutomation struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID              string             `json:"ruleId"`
		RuleIndex           int                `json:"ruleIndex"`
		Level               string             `json:"level"`
		Message             sarifMessage       `json:"message"`
		Locations           []sarifLocation    `json:"locations,omitempty"`
		CodeFlows           []sarifCodeFlow    `json:"codeFlows,omitempty"`
		PartialFingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions        []sarifSuppression `json:"suppressions,omitempty"`
		Properties          map[string]any     `json:"properties,omitempty"`
	}
	sarifSuppression struct {
		Kind          string         `json:"kind"`
		Status        string         `json:"status"`
		Justification outside.Plain  `json:"justification"`
		Location      *sarifLocation `json:"location,omitempty"`
	}
	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifFlowLocation `json:"locations"`
	}
	sarifFlowLocation struct {
		Location sarifLocation `json:"location"`
	}
	sarifLocation struct {
		PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
		LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
		Message          *sarifMessage  `json:"message,omitempty"`
	}
	sarifLogical struct {
		FullyQualifiedName outside.Plain `json:"fullyQualifiedName"`
		Kind               string        `json:"kind"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       outside.Plain `json:"uri"`
		URIBaseID string        `json:"uriBaseId"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

const sarifHelp = "https://github.com/pinpoint-go/pinpoint/blob/main/docs/ci.md"

// sarifRules are what is reported. Their order is that of ruleIndex.
var sarifRules = []sarifRule{
	rule("pinpoint/regression", "Regression", "error", "A benchmark got slower by more than the limit.",
		"The benchmark is slower than at the base by more than the job allows, in pairs of fresh processes and again in a hunt. The code flow leads from the benchmark to the call that is to blame, or is suspected."),
	rule("pinpoint/slower", "Slower", "warning", "A benchmark got slower within the limit.",
		"The benchmark is slower than at the base, by less than the job allows."),
	rule("pinpoint/failed", "Failed", "error", "A benchmark could not be built or run.",
		"The benchmark of the head does not build, fails, or does not finish."),
	rule("pinpoint/unknown", "Unknown", "note", "A benchmark is not decided.",
		"Whether the benchmark got slower by more than the limit was not decided within the budget."),
	rule("pinpoint/stale", "StaleEntry", "warning", "An entry of accepted regressions matches nothing.",
		"The entry silences no regression any more, and can go."),
}

func rule(id, name, level string, short, full outside.Plain) sarifRule {
	return sarifRule{id, name, sarifMessage{short}, sarifMessage{full}, sarifMessage{full}, sarifHelp, sarifConfig{level}}
}

// ruleOf are the rules of outcomes, by index. Others are no results.
var ruleOf = map[Outcome]int{IsRegression: 0, IsAccepted: 0, IsSlower: 1, IsFailed: 2, IsUnknown: 3}

const staleRule = 4

// WriteSARIF writes the suite as a SARIF 2.1.0 log: a result for each benchmark
// that is slower, failed or undecided, with the chain to the culprit as its code
// flow. Accepted regressions are suppressed results.
func (s *Suite) WriteSARIF(w io.Writer) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "pinpoint", InformationURI: "https://github.com/pinpoint-go/pinpoint", Version: outside.PlainOf(s.version()), Rules: sarifRules,
		}},
		Invocations:       []sarifInvocation{{ExecutionSuccessful: s.Error == ""}},
		AutomationDetails: sarifAutomation{"pinpoint/"},
		ColumnKind:        "utf16CodeUnits",
		Results:           []sarifResult{},
		Properties:        map[string]any{"base": outside.PlainOf(s.Good.Commit), "head": outside.PlainOf(s.Bad.Commit), "failAbove": s.Rule.FailAbove, "alpha": s.Rule.Alpha},
	}
	notify := func(level, text string) {
		in := &run.Invocations[0]
		in.ToolExecutionNotifications = append(in.ToolExecutionNotifications, sarifNotification{level, sarifMessage{outside.Message(text)}})
	}
	for _, text := range s.Warnings {
		notify("warning", text)
	}
	if s.Error != "" {
		notify("error", s.Error)
	}
	for _, o := range outcomes {
		i, ok := ruleOf[o]
		if !ok {
			continue
		}
		for _, b := range s.of(o) {
			run.Results = append(run.Results, b.sarif(s, i))
		}
	}
	for _, e := range s.Stale {
		run.Results = append(run.Results, e.sarif())
	}
	return output.JSON(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// version is pinpoint's, as the first report has it.
func (s *Suite) version() string {
	for _, b := range s.Benchmarks {
		if b.Report != nil {
			return b.Report.Provenance.Pinpoint
		}
	}
	return ""
}

func (b Benchmark) sarif(s *Suite, index int) sarifResult {
	r := sarifResult{
		RuleID: sarifRules[index].ID, RuleIndex: index, Level: sarifRules[index].DefaultConfiguration.Level,
		Message:    sarifMessage{outside.Message(b.message(s))},
		Properties: map[string]any{"benchmark": outside.PlainOf(b.FullName()), "selected": outside.PlainOf(b.Selected)},
	}
	if at, ok := b.site(); ok {
		r.Locations = []sarifLocation{{PhysicalLocation: at.sarif()}}
	}
	identity := b.FullName()
	for _, c := range b.culprits() {
		identity += "\n" + c.Function
		r.CodeFlows = append(r.CodeFlows, c.codeFlow(b.Report.Workload.Driver))
	}
	r.PartialFingerprints = fingerprint(sarifRules[index].ID + "\n" + identity)
	if b.Delta != nil && b.Delta.Ratio != nil {
		r.Properties["ratio"] = b.Delta.Ratio
	}
	if a := b.Acceptance; a != nil {
		at := site{file: a.File, line: a.Line}
		r.Suppressions = []sarifSuppression{{"external", "accepted", outside.PlainOf(a.Reason), &sarifLocation{PhysicalLocation: at.sarif()}}}
	}
	return r
}

// codeFlow is the chain from the inspected function to the culprit. A step in the driver
// has no place: no revision has that file.
func (c Culprit) codeFlow(driver string) sarifCodeFlow {
	var steps []sarifFlowLocation
	for _, step := range c.Chain {
		steps = append(steps, sarifFlowLocation{flowLocation(step.Position, step.Function, step.Call+": "+text.Percent(step.Share)+" of the difference", driver)})
	}
	steps = append(steps, sarifFlowLocation{flowLocation(c.Position, c.Function, c.because(), driver)})
	return sarifCodeFlow{[]sarifThreadFlow{{steps}}}
}

func flowLocation(position, function, text, driver string) sarifLocation {
	l := sarifLocation{
		LogicalLocations: []sarifLogical{{outside.PlainOf(function), "function"}},
		Message:          &sarifMessage{outside.Message(text)},
	}
	if at, ok := siteOf(position); ok && (driver == "" || path.Base(at.file) != filepath.Base(driver)) {
		l.PhysicalLocation = at.sarif()
	}
	return l
}

func (at site) sarif() *sarifPhysical {
	uri := url.URL{Path: at.file}
	return &sarifPhysical{sarifArtifact{outside.PlainOf(uri.String()), "%SRCROOT%"}, sarifRegion{at.line, at.col}}
}

// fingerprint tells the same result apart from others in later runs: lines and
// numbers, which change, are not in it.
func fingerprint(identity string) map[string]string {
	sum := sha256.Sum256([]byte(identity))
	return map[string]string{"pinpoint/v1": hex.EncodeToString(sum[:16])}
}

func (e Stale) sarif() sarifResult {
	r := sarifRules[staleRule]
	return sarifResult{
		RuleID: r.ID, RuleIndex: staleRule, Level: r.DefaultConfiguration.Level,
		Message:             sarifMessage{outside.Message("The entry for " + e.Benchmark + " and " + e.Culprit + " is stale: " + e.Why + ".")},
		Locations:           []sarifLocation{{PhysicalLocation: site{file: e.File, line: e.Line}.sarif()}},
		PartialFingerprints: fingerprint(r.ID + "\n" + e.Benchmark + "\n" + e.Culprit + "\n" + e.Commit),
	}
}
