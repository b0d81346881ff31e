//go:build unix

package outside

import "syscall"

const noFollow = syscall.O_NOFOLLOW
