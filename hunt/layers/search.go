package layers

import (
	"context"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Search is the search through layers, with what it asks.
func (pr *Prober) Search(narrow finder.Narrow, depth int) *finder.Search {
	return &finder.Search{
		Narrow: narrow, Depth: depth, MinShare: finder.DefaultMinShare,
		Measure: pr.measure(stats.Search), Confirm: pr.measure(stats.Confirmation), Dig: pr.dig,
	}
}

// Open is the layer of a function, ready to be searched. What a side refuses to have
// probed shows when it is built, and the finder must see the layer without it.
// aroundBody says that it is not the timed body, and so is timed around its own.
func (pr *Prober) Open(ctx context.Context, code change.Functions, aroundBody bool) (finder.Layer, error) {
	f, err := pr.Align(nil, 0, code)
	if err != nil {
		return finder.Layer{}, err
	}
	f.body = aroundBody
	pr.layers[f.Name] = f
	if err := pr.build(ctx, f); err != nil {
		return finder.Layer{}, err
	}
	return pr.layer(f), nil
}
