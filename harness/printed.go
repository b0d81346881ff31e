package harness

import "context"

// Printed runs one process, and nothing beside it, for what it prints: the last
// 64 KB of its standard output and error. A benchmark or test runs once, without
// a board, as if nobody measured. The error is as that of [Run].
func Printed(ctx context.Context, b Binary, w Workload) (string, error) {
	var out string
	err := host.whileQuiet(ctx, func() (err error) { out, err = printed(ctx, b, w); return err })
	return out, err
}

func printed(ctx context.Context, b Binary, w Workload) (_ string, err error) {
	r, err := newRoom(w.Input)
	if err != nil {
		return "", err
	}
	defer func() {
		if cerr := r.close(); err == nil {
			err = cerr
		}
	}()
	c := newChild(r, b, w, Order{N: 1})
	end, err := c.run(ctx)
	if err != nil {
		return "", err
	}
	if cause := end.failure(c.timeout); cause != nil {
		return end.output, newFailure(cause, c, b, w, end)
	}
	return end.output, nil
}
