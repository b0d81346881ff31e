package backup_test

import (
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/backup"
)

func TestLog(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n\nfunc f() {}\n")
	first := c.commit("one: a subject\n\nand a body")
	c.write("b.go", "package a\n")
	second := c.commit("two")
	commit := func(hash, subject string) backup.Commit {
		return backup.Commit{Hash: hash, Author: "a", Date: "2020-01-01", Subject: subject}
	}
	r := open(t, c.dir)
	for _, test := range []struct {
		args []string
		want []backup.Commit
	}{
		{[]string{"HEAD"}, []backup.Commit{commit(second, "two"), commit(first, "one: a subject")}},
		{[]string{first + "..HEAD"}, []backup.Commit{commit(second, "two")}},
		{[]string{"-L3,3:a.go", "HEAD"}, []backup.Commit{commit(first, "one: a subject")}},
		{[]string{"HEAD..HEAD"}, nil},
	} {
		if got, err := r.Log(t.Context(), test.args...); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("log %q: %+v, %v, want %+v", test.args, got, err, test.want)
		}
	}
	if _, err := r.Log(t.Context(), "nowhere"); err == nil {
		t.Error("there is no such revision")
	}
}
