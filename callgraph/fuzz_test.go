package callgraph

import "testing"

// FuzzFunc takes anything for a function's name: it is found or the error says what it
// resembles, and what is found is found again by its full name.
func FuzzFunc(f *testing.F) {
	p := loadText(f, baseModule)
	for _, name := range []string{"Entry", "(*T).Method", "Func.func1", "m.Entry", "example.com/m.inner", "F[int]", "F[a.B[c]].func1", "(T", "..", "[", "*", "().func", ""} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		fn, err := p.Func(name)
		if err != nil {
			_ = err.Error()
			return
		}
		if again, err := p.Func(fn.Name); err != nil || again != fn {
			t.Errorf("%q is %s, which is %v, %v", name, fn.Name, again, err)
		}
	})
}
