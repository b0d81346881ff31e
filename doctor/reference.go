package doctor

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

//go:embed reference.txtar
var reference []byte

// references are what is run, with the names that reports have for them.
var references = []struct{ name, bench string }{
	{"loop", "^BenchmarkLoop$"},
	{"sorting", "^BenchmarkSort$"},
	{"decoding", "^BenchmarkDecode$"},
}

// build makes the reference binary below out, with the toolchain that the go
// command chooses in dir.
func build(ctx context.Context, opts Options, out string) (harness.Binary, *harness.Go, error) {
	g, err := harness.FindGo(ctx, opts.Dir)
	if err != nil {
		return harness.Binary{}, nil, err
	}
	if g, err = g.Workshop(ctx, opts.CacheDir, out); err != nil {
		return harness.Binary{}, nil, err
	}
	dir := filepath.Join(out, "reference")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return harness.Binary{}, nil, err
	}
	for _, f := range txtar.Parse(reference).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			return harness.Binary{}, nil, err
		}
	}
	var overlay instrument.Overlay
	if err := overlay.AddRuntime(g.Root); err != nil {
		return harness.Binary{}, nil, err
	}
	bin, err := g.Build(ctx, harness.Side{
		Label: "good", Dir: dir, Top: dir, Package: ".", Overlay: overlay.Files,
	}, harness.Workload{}, out)
	return bin, g, err
}

// campaigns are one for each reference, of the binary against itself.
func campaigns(ctx context.Context, opts Options, good harness.Binary) ([]*harness.Campaign, error) {
	bad := good
	bad.Label = "bad"
	seed := rand.New(rand.NewPCG(opts.Seed, 0))
	var all []*harness.Campaign
	for i, r := range references {
		opts.Progress("calibrating", i, len(references))
		w := harness.Workload{Pattern: r.bench, Timeout: opts.Timeout}
		plan, err := harness.Calibrate(ctx, good, bad, w)
		if err != nil {
			return nil, fmt.Errorf("calibrating the reference benchmarks: %w", err)
		}
		all = append(all, &harness.Campaign{
			Binaries: []harness.Binary{good, bad}, N: plan.N(), Workload: w,
			Batches: plan.Batches, Rand: seed,
		})
	}
	return all, nil
}
