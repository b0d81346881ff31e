//go:build !amd64 && !arm64

// This file lets functions of the package have no body: those that the runtime
// implements.
