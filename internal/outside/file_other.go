//go:build !unix

package outside

const noFollow = 0
