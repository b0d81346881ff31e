package hunt

import "context"

// compareWhole compares the unprobed pair. What is known of it is kept when it fails.
func (h *hunt) compareWhole(ctx context.Context) error {
	w, err := h.Sampler.Whole(ctx, h.Good.Entrant(), h.Bad.Entrant(), h.Orders)
	if err == nil {
		err = w.HoldMachines(ctx, h.Orders)
	}
	h.whole, h.Sampler = w, w.Sampler
	if err != nil {
		return err
	}
	if note := h.Sampler.Quantity.Note; note != "" {
		h.Log.Warn("%s", note)
	}
	plan := h.Sampler.Plan
	if (h.Sampler.Workload.CPUs == 1 || h.Options.Duet) && (plan.Good.Shared || plan.Bad.Shared) {
		h.Log.Warn("the benchmark runs in parallel, but has one processor: what waits for others there is not seen")
	}
	return nil
}
