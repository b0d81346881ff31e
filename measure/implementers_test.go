package measure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

func TestImplements(t *testing.T) {
	const src = `package p
type Reader interface { Read([]byte) (int, error) }
type Both struct{}
func (*Both) Read([]byte) (int, error) { return 0, nil }
func (Both) Error() string { return "" }
type Neither int
func (Neither) Read(int) {}
func Read([]byte) (int, error) { return 0, nil }`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{}).Check("example.com/p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]bool{
		"error":                {"example.com/p.(*Both).Read": true, "example.com/p.Both.Error": true},
		"p.Reader":             {"example.com/p.(*Both).Read": true, "example.com/p.Both.Error": true},
		"example.com/p.Reader": {"example.com/p.(*Both).Read": true, "example.com/p.Both.Error": true},
		"q.Reader":             nil, "p.Both": nil, "Reader": nil,
	}
	for _, o := range info.Defs {
		fn, ok := o.(*types.Func)
		if !ok || fn.Name() == "Read" && types.IsInterface(recvOf(fn)) {
			continue
		}
		for iface, of := range want {
			if does, known := implements(pkg, fn, iface); does != of[fullName(fn)] || known != (of != nil) {
				t.Errorf("%s of %s: %v, known %v", fullName(fn), iface, does, known)
			}
		}
	}
}

// recvOf is the type of a method's receiver, Invalid of a function.
func recvOf(f *types.Func) types.Type {
	if recv := f.Signature().Recv(); recv != nil {
		return recv.Type()
	}
	return types.Typ[types.Invalid]
}
