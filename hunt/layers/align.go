package layers

import "github.com/pinpoint-go/pinpoint/change"

// Align aligns the layers of one function in both revisions. Functions that it is
// recursive with are one layer with it: its parts are the calls that leave them, and
// the bodies of those that a call may reach which may as well stay among them.
func (pr *Prober) Align(parent *Layer, via int, code change.Functions) (*Layer, error) {
	from, err := pr.Good.Prog.Group(code.Good)
	if err != nil {
		return nil, err
	}
	to, err := pr.Bad.Prog.Group(code.Bad)
	if err != nil {
		return nil, err
	}
	f := &Layer{Parent: parent, Via: via, Code: code, Name: code.Bad.Name, off: make(map[int]bool)}
	if code.Good.Name != code.Bad.Name {
		f.Name = code.Good.Name + " / " + code.Bad.Name
	}
	for _, p := range pr.Change.AlignGroups(from, to) {
		f.Parts = append(f.Parts, Part{Calls: p.Calls, In: p.In, Func: p.Leaf})
	}
	for _, m := range to.Members {
		twin, _ := pr.Change.InGood(m.Func)
		if m.Func == code.Bad {
			twin = code.Good
		}
		f.Members = append(f.Members, change.Functions{Good: twin, Bad: m.Func})
	}
	return f, nil
}

// dispatchLayer lists the candidates of a call that may reach several functions.
func (pr *Prober) dispatchLayer(parent *Layer, via int, pairs []Part) *Layer {
	return &Layer{
		Name:   parent.Name + " → " + parent.Parts[via].Text(),
		Parent: parent,
		Via:    via,
		Parts:  pairs,
	}
}
