package echo_test

import (
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
)

func drvServe(b *testing.B, path string) {
	e := echo.New()
	for _, r := range []string{"/", "/users", "/users/new", "/users/:id", "/users/:id/posts", "/users/:id/posts/:post", "/static/*", "/api/v1/items", "/api/v1/items/:id", "/api/v1/orders/:id/lines/:line"} {
		e.GET(r, func(c echo.Context) error { c.Param("id"); return nil })
	}
	req := httptest.NewRequest("GET", path, nil)
	w := httptest.NewRecorder()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		e.ServeHTTP(w, req)
	}
}

func BenchmarkDrvStatic(b *testing.B) { drvServe(b, "/api/v1/items") }
