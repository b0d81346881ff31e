package xpath_test

import (
	"strconv"
	"testing"

	"github.com/antchfx/xpath"
)

// A document of our own behind the library's NodeNavigator.
type drvElem struct {
	name, text string
	attrs      [][2]string
	parent     *drvElem
	kids       []*drvElem
	at         int
}

func (e *drvElem) add(name, text string, attrs ...[2]string) *drvElem {
	k := &drvElem{name: name, text: text, attrs: attrs, parent: e, at: len(e.kids)}
	e.kids = append(e.kids, k)
	return k
}

type drvNav struct {
	root, cur *drvElem
	attr      int
}

func (n *drvNav) NodeType() xpath.NodeType {
	switch {
	case n.attr >= 0:
		return xpath.AttributeNode
	case n.cur.parent == nil:
		return xpath.RootNode
	case n.cur.name == "":
		return xpath.TextNode
	}
	return xpath.ElementNode
}
func (n *drvNav) LocalName() string {
	if n.attr >= 0 {
		return n.cur.attrs[n.attr][0]
	}
	return n.cur.name
}
func (n *drvNav) Prefix() string       { return "" }
func (n *drvNav) NamespaceURL() string { return "" }
func (n *drvNav) Value() string {
	if n.attr >= 0 {
		return n.cur.attrs[n.attr][1]
	}
	return drvValue(n.cur)
}
func drvValue(e *drvElem) string {
	if e.name == "" {
		return e.text
	}
	s := ""
	for _, k := range e.kids {
		s += drvValue(k)
	}
	return s
}
func (n *drvNav) Copy() xpath.NodeNavigator { c := *n; return &c }
func (n *drvNav) MoveToRoot()               { n.cur, n.attr = n.root, -1 }
func (n *drvNav) MoveToParent() bool {
	if n.attr >= 0 {
		n.attr = -1
		return true
	}
	if n.cur.parent == nil {
		return false
	}
	n.cur = n.cur.parent
	return true
}
func (n *drvNav) MoveToNextAttribute() bool {
	if n.attr+1 >= len(n.cur.attrs) {
		return false
	}
	n.attr++
	return true
}
func (n *drvNav) MoveToChild() bool {
	if n.attr >= 0 || len(n.cur.kids) == 0 {
		return false
	}
	n.cur = n.cur.kids[0]
	return true
}
func (n *drvNav) sibling(at int) bool {
	if n.attr >= 0 || n.cur.parent == nil || at < 0 || at >= len(n.cur.parent.kids) {
		return false
	}
	n.cur = n.cur.parent.kids[at]
	return true
}
func (n *drvNav) MoveToFirst() bool    { return n.cur.at > 0 && n.sibling(0) }
func (n *drvNav) MoveToNext() bool     { return n.sibling(n.cur.at + 1) }
func (n *drvNav) MoveToPrevious() bool { return n.sibling(n.cur.at - 1) }
func (n *drvNav) MoveTo(o xpath.NodeNavigator) bool {
	p, ok := o.(*drvNav)
	if ok {
		n.cur, n.attr = p.cur, p.attr
	}
	return ok
}
func (n *drvNav) String() string { return n.Value() }

func drvDoc() *drvNav {
	root := &drvElem{name: "#"}
	store := root.add("store", "")
	for i := 0; i < 60; i++ {
		book := store.add("book", "", [2]string{"id", strconv.Itoa(i)}, [2]string{"lang", "en"})
		book.add("title", "").add("", "Title "+strconv.Itoa(i))
		authors := book.add("authors", "")
		for k := 0; k < 3; k++ {
			authors.add("author", "").add("", "Author "+strconv.Itoa(k))
		}
		book.add("price", "").add("", strconv.Itoa(i*3))
	}
	return &drvNav{root: root, cur: root, attr: -1}
}

func drvSelect(b *testing.B, expr string) {
	e, err := xpath.Compile(expr)
	if err != nil {
		b.Fatal(err)
	}
	nav := drvDoc()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		for it := e.Select(nav); it.MoveNext(); {
		}
	}
}

func BenchmarkDrvDescendant(b *testing.B) { drvSelect(b, "//author") }

func BenchmarkDrvPredicate(b *testing.B) { drvSelect(b, "//book[@id='33']/title") }
