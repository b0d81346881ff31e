package schedule

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// A job that takes longer than others of its group is given to a second worker where one is
// idle or the group waits for it, and only once.
func TestStragglers(t *testing.T) {
	for _, test := range []struct {
		name           string
		workers, flies int // of the group, that are with the fleet
		after          time.Duration
		others         int // jobs of another group
		want           int // doubled
	}{
		{"all take as long as they do", 8, 2, 1500 * time.Millisecond, 0, 0},
		{"one that is late, of the last", 2, 1, 2500 * time.Millisecond, 3, 1},
		{"late where nobody is idle and many are left", 4, 8, 3 * time.Second, 0, 0},
		{"late where workers are idle", 16, 8, 3 * time.Second, 0, 8},
		{"as if lost", 4, 8, 9 * time.Second, 0, 8},
	} {
		var q Queue
		now := time.Unix(0, 0)
		for i := range 4 {
			q.Add(1, "g", fmt.Sprint("known", i))
			q.Next(now, 4)
			q.Finish(fmt.Sprint("known", i), now.Add(time.Second))
		}
		for i := range test.flies {
			q.Add(1, "g", fmt.Sprint("flies", i))
		}
		for i := range test.others {
			q.Add(0, "h", fmt.Sprint("other", i))
		}
		q.Next(now, test.workers)
		for _, want := range []int{test.want, 0} {
			list := q.Next(now.Add(test.after), test.workers)
			if len(list) != want || slices.ContainsFunc(list, func(i Issue) bool { return i.Copy != 2 }) {
				t.Errorf("%s: issued are %v, want %d", test.name, list, want)
			}
		}
		if q.Doubled != test.want || q.Empty() {
			t.Errorf("%s: %d are doubled", test.name, q.Doubled)
		}
	}
}

func TestBefore(t *testing.T) {
	fresh, short, long := Look{}, Look{Taken: 3, Left: 1}, Look{Taken: 1, Left: 2}
	for _, test := range []struct {
		places int
		want   []Look
	}{
		{1, []Look{fresh, long, short}},
		{9, []Look{fresh, long, short}},
		{1, []Look{{First: 2}, {First: 1}, {Taken: 1, Left: 1}, {Taken: 2, Left: 9}}},
		{9, []Look{{First: 2}, {First: 1}, {Taken: 2, Left: 9}, {Taken: 1, Left: 1}}},
		{1, []Look{{First: 1}, {Taken: 5, Worth: 2}, {Taken: 1, Worth: 1}, {Taken: 1}}},
		{9, []Look{{}, {Taken: 1, Left: 1, Worth: 2}, {Taken: 1, Left: 9, Worth: 1}}},
	} {
		list := slices.Clone(test.want)
		slices.Reverse(list)
		slices.SortStableFunc(list, func(a, b Look) int { return Before(a, b, test.places) })
		if !slices.Equal(list, test.want) {
			t.Errorf("in %d places: %v", test.places, list)
		}
	}
}
