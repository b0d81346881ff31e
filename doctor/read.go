package doctor

import (
	"encoding/json"
	"fmt"
)

// Read reads what [Health.WriteJSON] wrote. ok is false for what is none.
func Read(data []byte) (h *Health, ok bool, err error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if json.Unmarshal(data, &head) != nil || head.Schema != Schema {
		return nil, false, nil
	}
	h = &Health{}
	if err := json.Unmarshal(data, h); err != nil {
		return nil, true, fmt.Errorf("not a host's health in JSON: %w", err)
	}
	return h, true, nil
}
