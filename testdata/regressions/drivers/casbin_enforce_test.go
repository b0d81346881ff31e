package casbin_test

import (
	"fmt"
	"testing"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"
)

const drvModel = `
[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = g(r.sub, p.sub) && r.obj == p.obj && r.act == p.act
`

// BenchmarkDrvEnforce asks for what a role of the user allows.
func BenchmarkDrvEnforce(b *testing.B) {
	m, err := model.NewModelFromString(drvModel)
	if err != nil {
		b.Fatal(err)
	}
	e, err := casbin.NewEnforcer(m)
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; i < 20; i++ {
		e.AddPolicy(fmt.Sprintf("role%d", i), fmt.Sprintf("data%d", i/2), "read")
		e.AddGroupingPolicy(fmt.Sprintf("user%d", i), fmt.Sprintf("role%d", i))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if ok, err := e.Enforce("user15", "data7", "read"); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
