package expfmt_test

import (
	"io"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

// BenchmarkDrvText writes a family of twenty counters with three labels each.
func BenchmarkDrvText(b *testing.B) {
	text := func(s string) *string { return &s }
	value := 42.0
	family := &dto.MetricFamily{Name: text("http_requests_total"), Help: text("Requests by code, method and path."), Type: dto.MetricType_COUNTER.Enum()}
	for i := 0; i < 20; i++ {
		family.Metric = append(family.Metric, &dto.Metric{
			Label: []*dto.LabelPair{
				{Name: text("status_code"), Value: text("200")},
				{Name: text("request_method"), Value: text("GET")},
				{Name: text("handler_path"), Value: text("/api/v1/things")},
			},
			Counter: &dto.Counter{Value: &value},
		})
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if _, err := expfmt.MetricFamilyToText(io.Discard, family); err != nil {
			b.Fatal(err)
		}
	}
}
