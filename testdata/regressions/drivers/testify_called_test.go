package mock_test

import (
	"testing"

	"github.com/stretchr/testify/mock"
)

type drvRequest struct {
	Method, Path string
	Header       map[string][]string
	Body         []byte
}

type drvMock struct{ mock.Mock }

// BenchmarkDrvCalled calls a mocked method with arguments of some size.
func BenchmarkDrvCalled(b *testing.B) {
	request := &drvRequest{Method: "GET", Path: "/a/path", Header: map[string][]string{"Accept": {"*/*"}}, Body: make([]byte, 200)}
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		m := new(drvMock)
		m.On("Do", request, "name", 42).Return(nil)
		for n := 0; n < 20; n++ {
			m.MethodCalled("Do", request, "name", 42)
		}
	}
}
